import { Suspense, useState } from 'react';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import type { ExchangeSetupResult } from '../rooms/exchange/terms/setup.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { KINDS, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { navigate, threadPath } from './address.ts';

const ExchangeSetup = lazyWithRetry(async () => (await import('../rooms/exchange/terms/setup.tsx')).ExchangeSetup);

/** Creates a thread: only the title is required. An exchange may also get its question, minds and terms. */
export function NewThreadSheet({ title, onClose }: { readonly title: string; onClose(): void }) {
  const { attempt, busy, refusal } = useAttempt();
  const [selectedKind, setSelectedKind] = useState<ThreadKind>('conversation');
  const [problem, setProblem] = useState<string>();

  async function create(title: string, kind: ThreadKind, form: FormData): Promise<void> {
    const setup: ExchangeSetupResult =
      kind === 'exchange' ? (await import('../rooms/exchange/terms/setup.tsx')).readSetupForm(form) : { setup: {} };
    setProblem('problem' in setup ? setup.problem : undefined);
    if ('problem' in setup) return;
    const created = await attempt(() => client.threads.create({ title, kind, ...setup }));
    if (!created) return;
    addRow(created.thread);
    onClose();
    navigate(threadPath(created.thread));
  }

  return (
    <Sheet label="New thread" onClose={onClose}>
      <form
        className="new-thread"
        aria-label="New thread"
        onSubmit={handleSubmit((form) => create(String(form.get('title') ?? ''), form.get('kind') as ThreadKind, form))}
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
          {KINDS.map(({ kind, is: description }) => (
            <label key={kind}>
              <input
                type="radio"
                name="kind"
                value={kind}
                checked={kind === selectedKind}
                onChange={() => setSelectedKind(kind)}
              />
              <span className="soft">
                {kindWithArticle(kind)}: {description}
              </span>
            </label>
          ))}
        </fieldset>
        {selectedKind === 'exchange' && (
          <Suspense fallback={null}>
            <ExchangeSetup />
          </Suspense>
        )}
        <button type="submit" className="act" disabled={busy}>
          Begin
        </button>
        <RefusalMessage reason={problem ?? refusal} />
      </form>
    </Sheet>
  );
}
