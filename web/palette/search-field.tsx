import type { KeyboardEvent } from 'react';
import { nextIndex } from './option-row.tsx';
import type { PaletteOption } from './options.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly title?: string;
  readonly text: string;
  /** The id of the list below. `options` are its items, and `activeIndex` is the marked one. */
  readonly list: string;
  readonly options: readonly PaletteOption[];
  readonly activeIndex: number;
  onText(text: string): void;
  onActivate(index: number): void;
  onEnter(): void;
  /** Removes the chip in front of an empty field. Returns whether there was one. */
  onErase?(): boolean;
}

/** The field above a list: typing narrows the list, and keys move in it. */
export function SearchField({ label, title, text, list, options, activeIndex, ...handlers }: SearchFieldProps) {
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const next = nextIndex(event.key, activeIndex, options.length);
    if (next !== undefined) handlers.onActivate(next);
    else if (event.key === 'Enter') handlers.onEnter();
    else if (event.key !== 'Backspace' || text !== '' || !handlers.onErase?.()) return;
    event.preventDefault();
  }

  return (
    <input
      className="find-field"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={options[activeIndex]?.id}
      aria-label={label}
      placeholder={label}
      title={title}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => handlers.onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
