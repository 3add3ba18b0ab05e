import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Option } from './options.tsx';

const PAGE = 8;

/** The line a key leads to from the marked one; undefined where it leads to none. A step over an end goes round. */
export function stepOf(key: string, marked: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[key];
  if (step === undefined) return undefined;
  const next = marked + step;
  const isOver = Math.abs(step) === 1 && (next < 0 || next >= count);
  return isOver ? (next < 0 ? count - 1 : 0) : Math.max(0, Math.min(count - 1, next));
}

interface LineProps {
  readonly option: Option;
  readonly isMarked: boolean;
  onChoose(option: Option): void;
}

/** One line to choose, by a key in the field above or by a touch. */
export function Line({ option, isMarked, onChoose }: LineProps) {
  const { id, to, name, hint } = option;
  const line = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isMarked) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const shared = { id, 'aria-selected': isMarked, className: 'line-of' };
  const inside = (
    <>
      <span className="row-title" dir="auto">
        {name}
      </span>
      {hint && <span className="row-words">{hint}</span>}
    </>
  );
  if (to === undefined) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard in the field
      <div
        ref={line as RefObject<HTMLDivElement>}
        role="option"
        tabIndex={-1}
        {...shared}
        onClick={() => onChoose(option)}
      >
        {inside}
      </div>
    );
  }
  return (
    <a
      ref={line as RefObject<HTMLAnchorElement>}
      role="option"
      tabIndex={-1}
      {...shared}
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onChoose(option);
      }}
    >
      {inside}
    </a>
  );
}
