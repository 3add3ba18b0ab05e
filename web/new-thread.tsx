import { go, pathTo } from './address.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { Sheet } from './sheet.tsx';
import { addRow } from './workspace.ts';

const KINDS = [
  { kind: 'conversation', is: 'a conversation: people and agents write to each other' },
  { kind: 'dialogue', is: 'a dialogue: a mind drafts until you accept an answer' },
  { kind: 'exchange', is: 'an exchange: minds think in a shared pool, an auditor sums up, you decide' },
  { kind: 'loom', is: 'a loom: a text you and models write together, in branches' },
] as const;
type Kind = (typeof KINDS)[number]['kind'];

/** Begins a thread: all it needs is a title. */
export function NewThread({ title, onClose }: { readonly title: string; onClose(): void }) {
  const { wish, busy, refusal } = useWish();

  async function create(title: string, kind: Kind): Promise<void> {
    const made = await wish(() => client.threads.create({ title, kind }));
    if (!made) return;
    addRow(made.thread);
    onClose();
    go(pathTo(made.thread));
  }

  return (
    <Sheet label="New thread" onClose={onClose}>
      <form
        className="new-thread"
        aria-label="New thread"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          void create(String(form.get('title') ?? ''), form.get('kind') as Kind);
        }}
      >
        <input
          name="title"
          className="find-field"
          aria-label="Title"
          placeholder="What is it about?"
          dir="auto"
          defaultValue={title}
          required
          maxLength={200}
          autoComplete="off"
        />
        <fieldset className="kinds" aria-label="What it is">
          {KINDS.map(({ kind, is }) => (
            <label key={kind}>
              <input type="radio" name="kind" value={kind} defaultChecked={kind === 'conversation'} />
              <span className="soft">{is}</span>
            </label>
          ))}
        </fieldset>
        <button type="submit" className="act" disabled={busy}>
          Begin
        </button>
        <Refused because={refusal} />
      </form>
    </Sheet>
  );
}
