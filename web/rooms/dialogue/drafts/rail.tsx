import { numeral } from '../../../ui/numeral.ts';
import type { Mark } from './buffer.ts';

/** Iterations the rail has room for. */
const SHOWN = 60;
const TALLEST = 44;
const SHORTEST = 4;

interface RailProps {
  readonly marks: readonly Mark[];
  readonly current: number | undefined;
  onGo(index: number): void;
}

/** The signal channel over time, newest on top: a bar as tall as the draft is long, a dot for `+1`, a gap for silence. */
export function Rail({ marks, current, onGo }: RailProps) {
  const shown = marks.slice(0, SHOWN);
  const longest = Math.max(1, ...shown.map(({ draft }) => draft?.chars ?? 0));
  return (
    <div className="rail" role="img" aria-label={inWords(marks)}>
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
          onClick={() => mark.draft && onGo(mark.draft.index)}
        />
      ))}
      {marks.length > SHOWN && <span className="tick tick-more" />}
    </div>
  );
}

function heightOf({ draft }: Mark, longest: number): number {
  return SHORTEST + Math.round(((TALLEST - SHORTEST) * (draft?.chars ?? 0)) / longest);
}

function titleOf({ kind, draft, iter }: Mark): string {
  if (kind === 'silence') return `iteration ${iter}: silent`;
  if (kind === 'empty') return `iteration ${iter}: answered with nothing`;
  if (kind === 'failed') return `iteration ${iter}: failed`;
  const what = kind === 'reply' ? `${numeral(draft?.chars ?? 0)} characters` : draft?.text.trim();
  return `#${draft?.index}, iteration ${iter}: ${what}`;
}

function inWords(marks: readonly Mark[]): string {
  const count = (kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind).length;
  const parts = [
    [count('reply'), 'replies'],
    [count('soft'), 'plus ones'],
    [count('word'), 'words'],
    [count('silence'), 'silent'],
    [count('empty'), 'answered with nothing'],
    [count('failed'), 'failed'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `The last ${marks.length} iterations: ${told.join(', ') || 'none'}`;
}
