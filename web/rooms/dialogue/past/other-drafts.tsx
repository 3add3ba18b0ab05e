import type { DraftItem } from '../../../../src/client/index.ts';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { TextActions } from '../../text-actions.tsx';
import styles from './past.module.css';

interface OtherDraftsProps {
  readonly accepted: string;
  /** Newest first. */
  readonly drafts: readonly DraftItem[];
  readonly busy: boolean;
  linkOf(draft: number): string;
  onReopen(draft: number): void;
}

/** The drafts of a past turn that were not taken, oldest first, each as it differs from the reply. */
export function OtherDrafts({ accepted, drafts, busy, linkOf, onReopen }: OtherDraftsProps) {
  if (drafts.length === 0) return <p className={styles.note}>It was the only draft.</p>;
  return [...drafts].reverse().map(({ index, text }) => (
    <div key={index} className={styles.other}>
      <p className={styles.note}>Draft {index}, compared with the accepted one</p>
      <DiffText hunks={diffWords(accepted, text)} />
      <p className={styles.after}>
        <Button disabled={busy} onClick={() => onReopen(index)}>
          Answer with draft {index} in a fork
        </Button>
        <TextActions link={linkOf(index)} text={text} isFolded />
      </p>
    </div>
  ));
}
