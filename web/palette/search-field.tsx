import type { KeyboardEvent } from 'react';
import { stepOf } from './option-row.tsx';
import type { Option } from './options.tsx';

interface FindFieldProps {
  readonly label: string;
  readonly title?: string;
  readonly text: string;
  /** The id of the list below, what is in it, and which line of it is marked. */
  readonly list: string;
  readonly options: readonly Option[];
  readonly marked: number;
  onText(text: string): void;
  onMark(line: number): void;
  onEnter(): void;
  /** The key that takes away what stands before an empty field. Says whether there was something. */
  onErase?(): boolean;
}

/** The field above a list: what is typed narrows the list, and its keys move in it. */
export function FindField({ label, title, text, list, options, marked, ...on }: FindFieldProps) {
  function pressed(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const next = stepOf(event.key, marked, options.length);
    if (next !== undefined) on.onMark(next);
    else if (event.key === 'Enter') on.onEnter();
    else if (event.key !== 'Backspace' || text !== '' || !on.onErase?.()) return;
    event.preventDefault();
  }

  return (
    <input
      className="find-field"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={options[marked]?.id}
      aria-label={label}
      placeholder={label}
      title={title}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => on.onText(event.target.value)}
      onKeyDown={pressed}
    />
  );
}
