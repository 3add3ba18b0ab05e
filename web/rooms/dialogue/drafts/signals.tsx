import { visible } from '../../../ui/text/visible.ts';
import type { Draft } from '../queries.ts';
import type { Mark } from './buffer.ts';

interface SinceProps {
  readonly marks: readonly Mark[];
  onAccept(word: Draft): void;
}

/** What the mind did after a reply instead of writing another: `+1`, words, silence, failures; newest first. */
export function Since({ marks, onAccept }: SinceProps) {
  if (marks.length === 0) return null;
  return (
    <ul className="since" aria-label="Signals">
      {runsOf(marks).map(({ mark, count, indices }) => (
        <li key={mark.iter} data-draft={indices.join(' ') || undefined} className={`since-${mark.kind}`}>
          {mark.kind === 'soft' && (
            <span title="The reply below could be sent as it is">
              <b>+1</b> {times(count)} {ofIndices(indices)}
            </span>
          )}
          {mark.kind === 'silence' && (
            <span title="Iterations in which the mind wrote no draft">silent {count > 1 && times(count)}</span>
          )}
          {mark.kind === 'empty' && <span>The model answered with nothing; counted as silence. {times(count)}</span>}
          {mark.kind === 'word' && mark.draft && (
            <>
              <b dir="auto">{visible(mark.draft.text.trim())}</b> #{mark.draft.index}{' '}
              <button type="button" className="act" onClick={() => onAccept(mark.draft as Draft)}>
                accept the word itself
              </button>
            </>
          )}
          {mark.kind === 'failed' && (
            <span dir="auto">
              iteration {mark.iter} failed{count > 1 && `, as did ${count - 1} before it`}:{' '}
              {visible(mark.problem ?? '')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface Run {
  readonly mark: Mark;
  readonly count: number;
  readonly indices: readonly number[];
}

/** The same thing several times in a row is told once. */
function runsOf(marks: readonly Mark[]): readonly Run[] {
  return marks.reduce<Run[]>((runs, mark) => {
    const last = runs.at(-1);
    const indices = mark.draft ? [mark.draft.index] : [];
    if (last && last.mark.kind === mark.kind && mark.kind !== 'word') {
      runs[runs.length - 1] = { ...last, count: last.count + 1, indices: [...last.indices, ...indices] };
    } else runs.push({ mark, count: 1, indices });
    return runs;
  }, []);
}

function times(count: number): string {
  return count > 1 ? `×${count}` : '';
}

function ofIndices(indices: readonly number[]): string {
  const [last] = indices;
  const first = indices.at(-1);
  return first === last ? `#${last}` : `#${first} to #${last}`;
}
