import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { addRow } from '../../../data/workspace.ts';
import { conversationPath, navigate } from '../../../shell/address.ts';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { OpenThread } from '../data/thread.ts';

interface OpenSideFormProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onDone(): void;
}

/** Opens a side channel for one question with some of the invited participants. */
export function OpenSideForm({ thread, state, onDone }: OpenSideFormProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [members, setMembers] = useState<readonly string[]>([]);
  const invited = state.participants.filter(({ invited, id }) => invited && id !== thread.me);

  async function open(question: string): Promise<void> {
    const created = await attempt(() => thread.remote.command('side_open', { question, members: [...members] }));
    if (!created) return;
    onDone();
    addRow(created.thread);
    navigate(conversationPath(created.thread.id));
  }

  if (invited.length === 0)
    return (
      <p className="soft" data-part="side">
        Invite someone first: a side channel has at least one member.
      </p>
    );
  return (
    <form
      className="side-form"
      data-part="side"
      aria-label="Open a side channel"
      onSubmit={handleSubmit((data) => open(String(data.get('question') ?? '')))}
    >
      <textarea name="question" rows={2} required dir="auto" aria-label="The question" placeholder="The question" />
      <div className="members">
        {invited.map(({ id }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={members.includes(id)}
              onChange={(event) =>
                setMembers(event.target.checked ? [...members, id] : members.filter((member) => member !== id))
              }
            />{' '}
            {id}
          </label>
        ))}
      </div>
      <button type="submit" className="act" disabled={busy || members.length === 0}>
        Open it
      </button>
      <RefusalMessage reason={refusal} />
    </form>
  );
}

/** Ends a side channel: its parent receives the summary (T11). */
export function CloseSideForm({ thread }: { readonly thread: OpenThread }) {
  const { attempt, busy, refusal } = useAttempt();
  const [summary, setSummary] = useState('');

  async function close(): Promise<void> {
    const result = await attempt(() => thread.remote.command('side_close', { summary }));
    const returnEvent = result?.events.find(({ type }) => type === 'side.returned');
    if (returnEvent) navigate(conversationPath(returnEvent.thread, returnEvent.id));
  }

  return (
    <form className="side-form" data-part="close" aria-label="Close the side channel" onSubmit={handleSubmit(close)}>
      <textarea
        rows={3}
        dir="auto"
        aria-label="Summary"
        placeholder="What came of it, for the thread it was opened in"
        value={summary}
        onChange={(event) => setSummary(event.target.value)}
      />
      <button type="submit" className="act" disabled={busy || summary.trim() === ''}>
        Close with this summary
      </button>
      <RefusalMessage reason={refusal} />
    </form>
  );
}
