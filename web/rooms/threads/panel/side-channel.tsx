import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { addRow } from '../../../data/workspace.ts';
import { go, pathOf } from '../../../shell/address.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import type { Thread } from '../data/thread.ts';

interface OpenSideProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  onDone(): void;
}

/** Takes one question aside with some of those invited. */
export function OpenSide({ thread, state, onDone }: OpenSideProps) {
  const { wish, busy, refusal } = useWish();
  const [members, setMembers] = useState<readonly string[]>([]);
  const invited = state.participants.filter(({ invited, id }) => invited && id !== thread.me);

  async function open(question: string): Promise<void> {
    const made = await wish(() => thread.remote.command('side_open', { question, members: [...members] }));
    if (!made) return;
    onDone();
    addRow(made.thread);
    go(pathOf(made.thread.id));
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
      onSubmit={(event) => {
        event.preventDefault();
        void open(String(new FormData(event.currentTarget).get('question') ?? ''));
      }}
    >
      <textarea name="question" rows={2} required dir="auto" aria-label="The question" placeholder="The question" />
      <div className="members">
        {invited.map(({ id }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={members.includes(id)}
              onChange={(event) =>
                setMembers(event.target.checked ? [...members, id] : members.filter((one) => one !== id))
              }
            />{' '}
            {id}
          </label>
        ))}
      </div>
      <button type="submit" className="act" disabled={busy || members.length === 0}>
        Open it
      </button>
      <Refused because={refusal} />
    </form>
  );
}

/** Ends a side channel: its parent receives the summary (T11). */
export function CloseSide({ thread }: { readonly thread: Thread }) {
  const { wish, busy, refusal } = useWish();
  const [summary, setSummary] = useState('');

  async function close(): Promise<void> {
    const done = await wish(() => thread.remote.command('side_close', { summary }));
    const returned = done?.events.find(({ type }) => type === 'side.returned');
    if (returned) go(pathOf(returned.thread, returned.id));
  }

  return (
    <form
      className="side-form"
      data-part="close"
      aria-label="Close the side channel"
      onSubmit={(event) => {
        event.preventDefault();
        void close();
      }}
    >
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
      <Refused because={refusal} />
    </form>
  );
}
