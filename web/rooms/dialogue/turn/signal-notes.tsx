import type { DraftItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { CutText } from '../../cut-text.tsx';
import styles from './sheet.module.css';
import type { StripMark } from './strip.ts';

interface NoteProps {
  readonly mark: StripMark;
  onAccept(word: DraftItem): void;
}

/** What a mark that is no draft says, in a sentence. */
export function SignalNote({ mark, onAccept }: NoteProps) {
  const { kind, marks, draft } = mark;
  switch (kind) {
    case 'soft':
      return (
        <p className={styles.note}>
          <b>+1</b> The mind says this draft is ready to send
          {marks.length > 1 && `, ${pluralize(marks.length, 'time')}`}.
        </p>
      );
    case 'word':
      return (
        <div className={styles.word}>
          <b dir="auto">{escapeBidi(draft?.text.trim() ?? '')}</b>
          {draft && <Button onClick={() => onAccept(draft)}>Accept this word</Button>}
        </div>
      );
    case 'failed':
      return <FailureNote mark={mark} />;
    case 'empty':
      return <p className={styles.note}>The model’s answer was empty; counted as silence.</p>;
    case 'silence':
      return <p className={styles.note}>Silence: no draft in {pluralize(marks.length, 'iteration')}.</p>;
    default:
      return null;
  }
}

/** What must not be overlooked after a draft: failures, empty answers, words. The rest is on the strip. */
export function SinceNotes({
  marks,
  onAccept,
}: {
  readonly marks: readonly StripMark[];
  onAccept: NoteProps['onAccept'];
}) {
  const notable = marks.filter(({ kind }) => kind === 'failed' || kind === 'empty' || kind === 'word');
  if (notable.length === 0) return null;
  return (
    <ul className={styles.since} aria-label="Signals">
      {notable.map((mark) => (
        <li key={mark.iter}>
          <SignalNote mark={mark} onAccept={onAccept} />
        </li>
      ))}
    </ul>
  );
}

function FailureNote({ mark: { marks, iter } }: { readonly mark: StripMark }) {
  const [{ problem = '', partial } = { problem: '' }] = marks;
  const before = marks.length > 1 ? `, as did ${marks.length - 1} before it` : '';
  return (
    <>
      <Banner tone="failure">
        <span dir="auto">
          Iteration {iter} failed{before}: {escapeBidi(problem)}
        </span>
      </Banner>
      {partial !== undefined && <CutText text={partial} />}
    </>
  );
}
