import { formatNumber } from '../../../../src/core/text/format-number.ts';
import type { IterationMark } from './buffer.ts';

/** The most iterations the rail can show. */
const MAX_TICKS = 60;
const MAX_HEIGHT = 44;
const MIN_HEIGHT = 4;

interface RailProps {
  readonly marks: readonly IterationMark[];
  readonly current: number | undefined;
  onSelect(index: number): void;
}

/** Signals over time, newest on top: a bar as tall as the draft is long, a dot for `+1`, a gap for silence. */
export function Rail({ marks, current, onSelect }: RailProps) {
  const shown = marks.slice(0, MAX_TICKS);
  const longest = Math.max(1, ...shown.map(({ draft }) => draft?.chars ?? 0));
  return (
    <div className="rail" role="img" aria-label={describeMarks(marks)}>
      {shown.map((mark) => (
        // The sheets themselves are reached by keys; this is for the pointer.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <span
          key={mark.iter}
          className={`tick tick-${mark.kind}`}
          title={titleOf(mark)}
          aria-current={mark.draft !== undefined && mark.draft.index === current ? 'true' : undefined}
          style={mark.kind === 'reply' ? { height: heightOf(mark, longest) } : undefined}
          onClick={() => mark.draft && onSelect(mark.draft.index)}
        />
      ))}
      {marks.length > MAX_TICKS && <span className="tick tick-more" />}
    </div>
  );
}

function heightOf({ draft }: IterationMark, longest: number): number {
  return MIN_HEIGHT + Math.round(((MAX_HEIGHT - MIN_HEIGHT) * (draft?.chars ?? 0)) / longest);
}

function titleOf({ kind, draft, iter }: IterationMark): string {
  if (kind === 'silence') return `iteration ${iter}: silent`;
  if (kind === 'empty') return `iteration ${iter}: answered with nothing`;
  if (kind === 'failed') return `iteration ${iter}: failed`;
  const detail = kind === 'reply' ? `${formatNumber(draft?.chars ?? 0)} characters` : draft?.text.trim();
  return `#${draft?.index}, iteration ${iter}: ${detail}`;
}

function describeMarks(marks: readonly IterationMark[]): string {
  const count = (kind: IterationMark['kind']) => marks.filter((mark) => mark.kind === kind).length;
  const parts = [
    [count('reply'), 'replies'],
    [count('soft'), 'plus ones'],
    [count('word'), 'words'],
    [count('silence'), 'silent'],
    [count('empty'), 'answered with nothing'],
    [count('failed'), 'failed'],
  ] as const;
  const phrases = parts.filter(([number]) => number > 0).map(([number, noun]) => `${number} ${noun}`);
  return `The last ${marks.length} iterations: ${phrases.join(', ') || 'none'}`;
}
