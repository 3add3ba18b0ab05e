import { useLayoutEffect, useRef } from 'react';
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
  onChoose(option: PaletteOption): void;
}

/** An option, chosen by a key in the field above or by a click. */
export function OptionRow({ option, isActive, onChoose }: OptionRowProps) {
  const { id, to, name, hint } = option;
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
      className="line-of"
      href={to}
      onClick={(event) => {
        if (to !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
        event.preventDefault();
        onChoose(option);
      }}
    >
      <span className="row-title" dir="auto">
        {name}
      </span>
      {hint && <span className="row-words">{hint}</span>}
    </Tag>
  );
}
