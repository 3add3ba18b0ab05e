import type { ThreadRow } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { kindName } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';

/** Another title for whatever one is in. */
export function RenameSheet({ row, onClose }: { readonly row: ThreadRow; onClose(): void }) {
  const { attempt, busy, refusal } = useAttempt();

  async function rename(title: string): Promise<void> {
    if (title === '' || title === row.title) return onClose();
    const content = { rename: { title } };
    if (await attempt(() => client.thread(row.id).post({ type: 'control', content }))) onClose();
  }

  return (
    <Sheet label={`Rename this ${kindName(row.kind)}`} onClose={onClose}>
      <form
        aria-label="Rename"
        onSubmit={(event) => {
          event.preventDefault();
          void rename(String(new FormData(event.currentTarget).get('title') ?? '').trim());
        }}
      >
        <input
          name="title"
          className="find-field"
          aria-label="Title"
          dir="auto"
          defaultValue={row.title}
          onFocus={(event) => event.target.select()}
          maxLength={200}
          autoComplete="off"
        />
        <p className="sheet-foot">
          <button type="submit" className="act" disabled={busy}>
            Rename
          </button>
        </p>
        <RefusalMessage reason={refusal} />
      </form>
    </Sheet>
  );
}
