import { useLayoutEffect, useRef } from 'react';
import { Kbd } from '../ui/controls/kbd.tsx';
import { Highlighted } from './highlight.tsx';
import styles from './option-row.module.css';
import type { PaletteOption } from './options.tsx';

const PAGE_SIZE = 8;

/** The index a key moves to from the active one; undefined if the key does not move. Steps wrap around at both ends. */
export function nextIndex(key: string, activeIndex: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE_SIZE, PageUp: -PAGE_SIZE }[key];
  if (step === undefined) return undefined;
  const next = activeIndex + step;
  const isPastEnd = Math.abs(step) === 1 && (next < 0 || next >= count);
  return isPastEnd ? (next < 0 ? count - 1 : 0) : Math.max(0, Math.min(count - 1, next));
}

interface OptionRowProps {
  readonly option: PaletteOption;
  readonly isActive: boolean;
  /** The typed words, which are marked in the name. */
  readonly query?: string;
  onChoose(option: PaletteOption): void;
}

/** An option, chosen by a key in the field above or by a click. */
export function OptionRow({ option, isActive, query = '', onChoose }: OptionRowProps) {
  const { id, to, icon, name, hint, keys } = option;
  const element = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  // Only an option with an address is a link, which a modifier key opens elsewhere.
  const Tag = (to === undefined ? 'div' : 'a') as 'a';
  return (
    <Tag
      ref={element}
      role="option"
      tabIndex={-1}
      id={id}
      aria-selected={isActive}
      className={styles.row}
      href={to}
      onClick={(event) => {
        if (to !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
        event.preventDefault();
        onChoose(option);
      }}
    >
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={styles.name} dir="auto" data-name="">
        {typeof name === 'string' ? <Highlighted text={name} query={query} /> : name}
      </span>
      {hint && <span className={styles.hint}>{hint}</span>}
      {keys && (
        <span className={styles.keys}>
          {keys.map((key) => (
            <Kbd key={key} keys={key} />
          ))}
        </span>
      )}
    </Tag>
  );
}
