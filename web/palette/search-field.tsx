import type { KeyboardEvent } from 'react';
import { nextIndex } from './option-row.tsx';
import type { PaletteOption } from './options.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly text: string;
  /** The id of the list below. `options` are its items, and `activeIndex` is the marked one. */
  readonly list: string;
  readonly options: readonly PaletteOption[];
  readonly activeIndex: number;
  /** A field of its own among others, with a border. */
  readonly isFramed?: boolean;
  /** Of a field in a form. */
  readonly name?: string;
  readonly isRequired?: boolean;
  onText(text: string): void;
  onActivate(index: number): void;
  onEnter(): void;
  /** Removes the chip in front of an empty field. Returns whether there was one. */
  onErase?(): boolean;
}

/** The field above a list: typing narrows the list, and keys move in it. */
export function SearchField({
  label,
  text,
  list,
  options,
  activeIndex,
  isFramed = false,
  name,
  isRequired,
  ...handlers
}: SearchFieldProps) {
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const next = nextIndex(event.key, activeIndex, options.length);
    if (next !== undefined) handlers.onActivate(next);
    else if (event.key === 'Enter' && name !== undefined && activeIndex < 0)
      return; // Submits the form.
    else if (event.key === 'Enter') handlers.onEnter();
    else if (event.key !== 'Backspace' || text !== '' || !handlers.onErase?.()) return;
    event.preventDefault();
  }

  return (
    <input
      className={isFramed ? `${styles.field} ${styles.framed}` : styles.field}
      name={name}
      required={isRequired}
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={options[activeIndex]?.id}
      aria-label={label}
      placeholder={label}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => handlers.onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
