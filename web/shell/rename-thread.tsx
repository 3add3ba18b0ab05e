import { useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { kindName } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';

interface RenameFormProps {
  readonly thread: Pick<ThreadRow, 'id' | 'title'>;
  /** The form replaces the title in place: Enter is enough to save. */
  readonly isInPlace?: boolean;
  onDone(): void;
}

export function RenameForm({ thread: { id, title }, isInPlace, onDone }: RenameFormProps) {
  const { attempt, busy, refusal } = useAttempt();

  async function rename(data: FormData): Promise<void> {
    const next = String(data.get('title') ?? '').trim();
    if (next === '' || next === title) return onDone();
    const content = { rename: { title: next } };
    if (await attempt(() => client.thread(id).post({ type: 'control', content }))) onDone();
  }

  return (
    <form aria-label="Rename" onSubmit={handleSubmit(rename)}>
      <input
        ref={focusOnMount}
        name="title"
        className={isInPlace ? 'title-field' : 'find-field'}
        aria-label="Title"
        dir="auto"
        defaultValue={title}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => isInPlace && event.key === 'Escape' && onDone()}
        maxLength={200}
        autoComplete="off"
      />
      {!isInPlace && (
        <p className="sheet-foot">
          <ActionButton type="submit" disabled={busy}>
            Rename
          </ActionButton>
        </p>
      )}
      <RefusalMessage reason={refusal} />
    </form>
  );
}

/** Renames the open thread. */
export function RenameSheet({ row, onClose }: { readonly row: ThreadRow; onClose(): void }) {
  return (
    <Sheet label={`Rename this ${kindName(row.kind)}`} onClose={onClose}>
      <RenameForm thread={row} onDone={onClose} />
    </Sheet>
  );
}

/** Opens the same sheet from a room's panel. */
export function RenameButton({ id }: { readonly id: string }) {
  const row = useStore(threadRows)?.get(id);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton onClick={() => setOpen(true)}>Rename</ActionButton>
      {isOpen && row && <RenameSheet row={row} onClose={() => setOpen(false)} />}
    </>
  );
}
