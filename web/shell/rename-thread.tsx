import { useEffect, useRef } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { PlainInput } from '../ui/controls/plain-field.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import type { TypedAhead } from './overlays.tsx';

export const RENAME_FORM = 'rename-thread';

interface RenameFormProps {
  readonly thread: Pick<ThreadRow, 'id' | 'title'>;
  /** What was typed before the field was there. */
  readonly typed?: TypedAhead | undefined;
  /** The form replaces the title in place: Enter is enough to save. */
  readonly isInPlace?: boolean;
  onDone(): void;
}

export function RenameForm({ thread: { id, title }, typed, isInPlace = false, onDone }: RenameFormProps) {
  const { attempt, refusal } = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (typed?.isSent) form.current?.requestSubmit();
  }, [typed]);

  async function rename(data: FormData): Promise<void> {
    const next = String(data.get('title') ?? '').trim();
    if (next === '' || next === title) return onDone();
    const content = { rename: { title: next } };
    if (await attempt(() => client.thread(id).post({ type: 'control', content }))) onDone();
  }

  return (
    <form ref={form} id={isInPlace ? undefined : RENAME_FORM} aria-label="Rename" onSubmit={handleSubmit(rename)}>
      <PlainInput
        ref={focusOnMount}
        name="title"
        aria-label="Title"
        dir="auto"
        defaultValue={typed?.text || title}
        onFocus={(event) => !typed?.text && event.target.select()}
        onKeyDown={(event) => isInPlace && event.key === 'Escape' && onDone()}
        maxLength={200}
        autoComplete="off"
      />
      <RefusalMessage reason={refusal} />
    </form>
  );
}
