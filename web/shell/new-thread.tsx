import { Suspense, useState } from 'react';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import type { Setup } from '../rooms/exchange/terms/setup.tsx';
import { KINDS, type Kind, withArticle } from '../ui/kinds.ts';
import { lazily } from '../ui/lazy.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { go, pathTo } from './address.ts';

const ExchangeSetup = lazily(async () => (await import('../rooms/exchange/terms/setup.tsx')).ExchangeSetup);

/** Begins a thread: all it needs is a title. An exchange may be given its question, minds and terms as well. */
export function NewThread({ title, onClose }: { readonly title: string; onClose(): void }) {
  const { wish, busy, refusal } = useWish();
  const [chosen, setChosen] = useState<Kind>('conversation');
  const [problem, setProblem] = useState<string>();

  async function create(title: string, kind: Kind, form: FormData): Promise<void> {
    const begun: Setup =
      kind === 'exchange' ? (await import('../rooms/exchange/terms/setup.tsx')).setupIn(form) : { setup: {} };
    setProblem('problem' in begun ? begun.problem : undefined);
    if ('problem' in begun) return;
    const made = await wish(() => client.threads.create({ title, kind, ...begun }));
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
          void create(String(form.get('title') ?? ''), form.get('kind') as Kind, form);
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
              <input type="radio" name="kind" value={kind} checked={kind === chosen} onChange={() => setChosen(kind)} />
              <span className="soft">
                {withArticle(kind)}: {is}
              </span>
            </label>
          ))}
        </fieldset>
        {chosen === 'exchange' && (
          <Suspense fallback={null}>
            <ExchangeSetup />
          </Suspense>
        )}
        <button type="submit" className="act" disabled={busy}>
          Begin
        </button>
        <Refused because={problem ?? refusal} />
      </form>
    </Sheet>
  );
}
