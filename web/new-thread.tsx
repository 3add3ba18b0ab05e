import { go, pathOf } from './address.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { Sheet } from './sheet.tsx';
import { addRow } from './workspace.ts';

/** Begins a thread: all it needs is a title. */
export function NewThread({ title, onClose }: { readonly title: string; onClose(): void }) {
  const { wish, busy, refusal } = useWish();

  async function create(title: string): Promise<void> {
    const made = await wish(() => client.threads.create({ title }));
    if (!made) return;
    addRow(made.thread);
    onClose();
    go(pathOf(made.thread.id));
  }

  return (
    <Sheet label="New thread" onClose={onClose}>
      <form
        className="new-thread"
        aria-label="New thread"
        onSubmit={(event) => {
          event.preventDefault();
          void create(String(new FormData(event.currentTarget).get('title') ?? ''));
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
        <button type="submit" className="act" disabled={busy}>
          Begin
        </button>
        <Refused because={refusal} />
      </form>
    </Sheet>
  );
}
