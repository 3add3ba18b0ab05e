import { go, pathTo } from './address.ts';
import { KINDS, type Kind, withArticle } from './kinds.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { Sheet } from './sheet.tsx';
import { addRow } from './workspace.ts';

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
              <span className="soft">
                {withArticle(kind)}: {is}
              </span>
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
