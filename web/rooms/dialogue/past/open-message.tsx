import { Undo2 } from 'lucide-react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { linkTo } from '../../../../src/core/link.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useActions } from '../../../shell/actions.ts';
import { BroughtNoteAt } from '../../../transfer/origin-notes.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import { keepAttachments } from '../../attachments/uploads.ts';
import { TextActions } from '../../text-actions.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import { Said } from './message.tsx';
import styles from './past.module.css';

type OpenTurn = NonNullable<DialogueStatus['turn']>;

/** The message that waits for an answer, and the notes since. */
export function OpenMessage({ dialogue, turn }: { readonly dialogue: LiveDialogue; readonly turn: OpenTurn }) {
  const { attempt, refusal } = useAttempt();
  const link = linkTo({ id: dialogue.id, kind: 'dialogue' }, String(turn.turn));

  /** The text returns to the composer, so nothing is lost. */
  async function withdraw(): Promise<void> {
    browserStorage.setUnsent(dialogue.id, { text: turn.message });
    keepAttachments(dialogue.id, turn.attachments ?? []);
    if (!(await attempt(() => dialogue.remote.command('withdraw', { turn: turn.turn }))))
      for (const key of [dialogue.id, `${dialogue.id}.files`]) browserStorage.setUnsent(key, undefined);
  }

  useActions('This dialogue', [{ name: 'Withdraw the message', act: () => void withdraw() }]);
  return (
    <section aria-label="Your message" data-place={link} id={`turn-${turn.turn}`}>
      <Said
        by={turn.by}
        ts={turn.ts}
        text={turn.message}
        attachments={turn.attachments}
        actions={
          <TextActions
            link={link}
            text={turn.message}
            isFolded
            items={[{ icon: Undo2, label: 'Withdraw', onSelect: () => void withdraw() }]}
          />
        }
      >
        {turn.steer.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added
          <div key={at} className={styles.steered} dir="auto">
            <span className={styles.label}>Steered</span> {escapeBidi(note)}
            <AttachmentList attachments={turn.steer_attachments?.[at]} />
          </div>
        ))}
        <BroughtNoteAt thread={dialogue.id} at={String(turn.turn)} />
        <RefusalMessage reason={refusal} />
      </Said>
    </section>
  );
}
