import { useState } from 'react';
import { kept } from '../../../data/browser-storage.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import type { Live } from '../live-exchange.ts';
import type { Status, Terms } from '../queries.ts';
import { effectOf } from '../timeline/entry.tsx';
import { TermsDifference } from './diff.tsx';
import { type Changes, type Draft, draftOf } from './draft.ts';
import { TermsFields } from './fields.tsx';
import { TERM_WORDS, termNames } from './labels.ts';

interface AmendProps {
  readonly live: Live;
  readonly status: Status;
  /** The newest terms: a change is made to these. */
  readonly terms: Terms;
  onClose(): void;
}

/** Changing the terms: what would be different stands below as it is written, and from when on it would hold (X3). */
export function Amend({ live, status, terms, onClose }: AmendProps) {
  const { set, change, fresh } = useTermsDraft(`${live.id}.terms`, terms);
  const { wish, busy, refusal } = useWish();

  async function save(form: FormData): Promise<void> {
    const draft = draftOf(form, terms);
    if ('problem' in draft) return;
    const reason = String(form.get('reason') ?? '').trim();
    if (!(await wish(() => live.remote.command('amend', { set: draft.set, ...(reason && { reason }) })))) return;
    fresh();
    onClose();
  }

  return (
    <form
      className="amend terms-form"
      aria-label="Amend the terms"
      onInput={(event) => change(new FormData(event.currentTarget))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <TermsFields terms={{ ...terms, ...set.started }} before={terms} />
      <input
        name="reason"
        aria-label="Reason"
        placeholder="Reason, if you want to give one"
        dir="auto"
        maxLength={4000}
      />
      <WouldChange draft={set.draft} terms={terms} />
      {'set' in set.draft && Object.keys(set.draft.set).length > 0 && (
        <p>Amended now: {effectOf(whenAmended(status))}.</p>
      )}
      <p className="choices">
        <button type="submit" className="act strong" disabled={busy || !isChange(set.draft)} title="Ctrl Enter">
          Amend the terms
        </button>
        <button type="button" className="act" onClick={onClose}>
          Leave them
        </button>
      </p>
      <Refused because={refusal && inWords(refusal)} />
    </form>
  );
}

/** What is being written about terms, kept until it was sent. */
export function useTermsDraft(keep: string, terms: Terms) {
  const [started] = useState<Changes>(() => readKept(keep));
  const [draft, setDraft] = useState<Draft>({ set: started });
  return {
    set: { started, draft },
    change(form: FormData) {
      const next = draftOf(form, terms);
      setDraft(next);
      if ('set' in next) kept.keepUnsent(keep, isChange(next) ? { text: JSON.stringify(next.set) } : undefined);
    },
    fresh: () => kept.keepUnsent(keep, undefined),
  };
}

export function WouldChange({ draft, terms }: { readonly draft: Draft; readonly terms: Terms }) {
  if ('problem' in draft) return <Refused because={draft.problem} />;
  const names = Object.keys(draft.set);
  if (names.length === 0) return null;
  return (
    <section className="would-change" aria-label="What would change">
      <h2>What would change: {termNames(names)}</h2>
      <TermsDifference before={terms} after={{ ...terms, ...draft.set }} />
    </section>
  );
}

export function isChange(draft: Draft): boolean {
  return 'set' in draft && Object.keys(draft.set).length > 0;
}

/** A refusal names a term as the log does; here it is called by what stands beside its field. */
function inWords(refusal: string): string {
  return Object.entries(TERM_WORDS).reduce(
    (text, [name, words]) => text.replaceAll(`"${name}"`, `“${words}”`),
    refusal,
  );
}

/** A round that is under way was begun without the change: the next one announces it. */
export function whenAmended({ round, run, spoken }: Status): {
  readonly announced: number;
  readonly effective: number;
} {
  const isUnderWay = run?.state === 'running' || spoken > 0;
  const announced = round + (isUnderWay ? 2 : 1);
  // Before round 1 it holds from round 1.
  return { announced, effective: round === 0 && !isUnderWay ? announced : announced + 1 };
}

function readKept(keep: string): Changes {
  try {
    return JSON.parse(kept.unsent(keep)?.text ?? '{}') as Changes;
  } catch {
    return {}; // Somebody else wrote there.
  }
}
