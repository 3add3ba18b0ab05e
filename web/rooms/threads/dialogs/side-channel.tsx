import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { addRow } from '../../../data/workspace.ts';
import { conversationPath, navigate } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { TextArea } from '../../../ui/controls/field.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { OpenThread } from '../data/thread.ts';
import styles from './dialogs.module.css';

interface SideDialogProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onClose(): void;
}

const FORM = 'side-channel';

/** Opens a side channel for one question with some of the invited participants. */
export function OpenSideDialog({ thread, state, onClose }: SideDialogProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [members, setMembers] = useState<readonly string[]>([]);
  const invited = state.participants.filter(({ invited, id }) => invited && id !== thread.me);

  async function open(question: string): Promise<void> {
    const created = await attempt(() => thread.remote.command('side_open', { question, members: [...members] }));
    if (!created) return;
    onClose();
    addRow(created.thread);
    navigate(conversationPath(created.thread.id));
  }

  return (
    <Dialog
      title="Open a side channel"
      description="Some participants settle one question separately. The summary comes back to this thread."
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} kind="primary" disabled={busy || members.length === 0}>
            Open
          </Button>
        </>
      }
    >
      {invited.length === 0 ? (
        <p className={styles.note}>Invite someone first: a side channel has at least one member.</p>
      ) : (
        <form
          id={FORM}
          className={styles.form}
          aria-label="Open a side channel"
          onSubmit={handleSubmit((data) => open(String(data.get('question') ?? '')))}
        >
          <TextArea name="question" label="The question" rows={2} required dir="auto" />
          <fieldset className={styles.members} aria-label="With whom">
            {invited.map(({ id }) => (
              <Checkbox
                key={id}
                label={
                  <>
                    <Face id={id} size="small" /> <Name id={id} />
                  </>
                }
                checked={members.includes(id)}
                onChange={({ target }) =>
                  setMembers(target.checked ? [...members, id] : members.filter((member) => member !== id))
                }
              />
            ))}
          </fieldset>
          <RefusalMessage reason={refusal} />
        </form>
      )}
    </Dialog>
  );
}

/** Ends a side channel: its parent receives the summary (T11). */
export function CloseSideDialog({ thread, onClose }: Omit<SideDialogProps, 'state'>) {
  const { attempt, busy, refusal } = useAttempt();
  const [summary, setSummary] = useState('');

  async function close(): Promise<void> {
    const result = await attempt(() => thread.remote.command('side_close', { summary }));
    const returnEvent = result?.events.find(({ type }) => type === 'side.returned');
    if (!returnEvent) return;
    onClose();
    navigate(conversationPath(returnEvent.thread, returnEvent.id));
  }

  return (
    <Dialog
      title="Close the side channel"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} kind="primary" disabled={busy || summary.trim() === ''}>
            Close with this summary
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} aria-label="Close the side channel" onSubmit={handleSubmit(close)}>
        <TextArea
          label="Summary"
          hint="It is posted in the thread that opened this side channel."
          rows={3}
          dir="auto"
          value={summary}
          onChange={({ target }) => setSummary(target.value)}
        />
        <RefusalMessage reason={refusal} />
      </form>
    </Dialog>
  );
}
