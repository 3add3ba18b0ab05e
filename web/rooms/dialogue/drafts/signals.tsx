import type { DraftItem } from '../../../../src/client/index.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { IterationMark } from './buffer.ts';

interface SignalsProps {
  readonly marks: readonly IterationMark[];
  onAccept(word: DraftItem): void;
}

/** The mind's signals after a reply: `+1`, words, silence, failures; newest first. */
export function Signals({ marks, onAccept }: SignalsProps) {
  if (marks.length === 0) return null;
  return (
    <ul className="since" aria-label="Signals">
      {groupMarks(marks).map(({ mark, count, indices }) => (
        <li key={mark.iter} data-draft={indices.join(' ') || undefined} className={`since-${mark.kind}`}>
          {mark.kind === 'soft' && (
            <span title="The reply below could be sent as it is">
              <b>+1</b> {repeatCount(count)} {indexRange(indices)}
            </span>
          )}
          {mark.kind === 'silence' && (
            <span title="Iterations in which the mind wrote no draft">silent {count > 1 && repeatCount(count)}</span>
          )}
          {mark.kind === 'empty' && (
            <span>The model answered with nothing; counted as silence. {repeatCount(count)}</span>
          )}
          {mark.kind === 'word' && mark.draft && (
            <>
              <b dir="auto">{escapeBidi(mark.draft.text.trim())}</b> #{mark.draft.index}{' '}
              <ActionButton onClick={() => onAccept(mark.draft as DraftItem)}>accept the word itself</ActionButton>
            </>
          )}
          {mark.kind === 'failed' && (
            <span dir="auto">
              iteration {mark.iter} failed{count > 1 && `, as did ${count - 1} before it`}:{' '}
              {escapeBidi(mark.problem ?? '')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface MarkGroup {
  readonly mark: IterationMark;
  readonly count: number;
  readonly indices: readonly number[];
}

/** Groups identical marks in a row into one. */
function groupMarks(marks: readonly IterationMark[]): readonly MarkGroup[] {
  return marks.reduce<MarkGroup[]>((groups, mark) => {
    const last = groups.at(-1);
    const indices = mark.draft ? [mark.draft.index] : [];
    if (last && last.mark.kind === mark.kind && mark.kind !== 'word') {
      groups[groups.length - 1] = { ...last, count: last.count + 1, indices: [...last.indices, ...indices] };
    } else groups.push({ mark, count: 1, indices });
    return groups;
  }, []);
}

function repeatCount(count: number): string {
  return count > 1 ? `×${count}` : '';
}

function indexRange(indices: readonly number[]): string {
  const [last] = indices;
  const first = indices.at(-1);
  return first === last ? `#${last}` : `#${first} to #${last}`;
}
