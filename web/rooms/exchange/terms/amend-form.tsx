import { useState } from 'react';
import type { ExchangeStatus, TermValues } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { TermsDifference } from './diff.tsx';
import { readTermsForm, type TermsDraft, type TermsEdits } from './draft.ts';
import formStyles from './fields.module.css';
import { TermsFields } from './fields.tsx';
import { describeEffect, formatTermNames, TERM_LABELS } from './labels.ts';
import styles from './terms.module.css';

interface AmendFormProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  /** The newest terms; an amendment changes these. */
  readonly terms: TermValues;
  onClose(): void;
}

/** Amends the terms, with a live preview of the changes and of when they take effect (X3). */
export function AmendForm({ exchange, status, terms, onClose }: AmendFormProps) {
  const { state, change, discard } = useTermsDraft(`${exchange.id}.terms`, terms);
  const { attempt, busy, refusal } = useAttempt();

  async function save(form: FormData): Promise<void> {
    const draft = readTermsForm(form, terms);
    if ('problem' in draft) return;
    const reason = String(form.get('reason') ?? '').trim();
    if (!(await attempt(() => exchange.remote.command('amend', { set: draft.set, ...(reason && { reason }) })))) return;
    discard();
    onClose();
  }

  return (
    <form
      className={formStyles.form}
      aria-label="Amend the terms"
      onInput={(event) => change(new FormData(event.currentTarget))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      onSubmit={handleSubmit(save)}
    >
      <TermsFields terms={{ ...terms, ...state.initial }} before={terms} />
      <TextField label="Reason" name="reason" placeholder="Optional" dir="auto" maxLength={4000} />
      <ChangePreview draft={state.draft} terms={terms} />
      {'set' in state.draft && Object.keys(state.draft.set).length > 0 && (
        <p>If you amend now: {describeEffect(amendmentSchedule(status))}.</p>
      )}
      <p className={styles.foot}>
        <Button type="submit" kind="primary" disabled={busy || !hasChanges(state.draft)} shortcut="Ctrl Enter">
          Amend the terms
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </p>
      <RefusalMessage reason={refusal && labelRefusal(refusal)} />
    </form>
  );
}

/** An unsent draft of terms, kept until it is sent. */
export function useTermsDraft(storageKey: string, terms: TermValues) {
  const [initial] = useState<TermsEdits>(() => readStoredEdits(storageKey));
  const [draft, setDraft] = useState<TermsDraft>({ set: initial });
  return {
    state: { initial, draft },
    change(form: FormData) {
      const next = readTermsForm(form, terms);
      setDraft(next);
      if ('set' in next)
        browserStorage.setUnsent(storageKey, hasChanges(next) ? { text: JSON.stringify(next.set) } : undefined);
    },
    discard: () => browserStorage.setUnsent(storageKey, undefined),
  };
}

export function ChangePreview({ draft, terms }: { readonly draft: TermsDraft; readonly terms: TermValues }) {
  if ('problem' in draft) return <RefusalMessage reason={draft.problem} />;
  const names = Object.keys(draft.set);
  if (names.length === 0) return null;
  return (
    <section className={styles.preview} aria-label="What would change">
      <h3>What would change: {formatTermNames(names)}</h3>
      <TermsDifference before={terms} after={{ ...terms, ...draft.set }} />
    </section>
  );
}

export function hasChanges(draft: TermsDraft): boolean {
  return 'set' in draft && Object.keys(draft.set).length > 0;
}

/** A refusal uses the term's name in the log; this replaces it with the field's label. */
export function labelRefusal(refusal: string): string {
  return Object.entries(TERM_LABELS).reduce(
    (text, [name, label]) => text.replaceAll(`"${name}"`, `“${label}”`),
    refusal,
  );
}

/** A round in progress began without the change, so the next one announces it. */
export function amendmentSchedule({ round, run, spoken }: ExchangeStatus): {
  readonly announced: number;
  readonly effective: number;
} {
  const isUnderWay = run?.state === 'running' || spoken > 0;
  const announced = round + (isUnderWay ? 2 : 1);
  // Before round 1 the change takes effect in round 1.
  return { announced, effective: round === 0 && !isUnderWay ? announced : announced + 1 };
}

function readStoredEdits(storageKey: string): TermsEdits {
  try {
    return JSON.parse(browserStorage.unsent(storageKey)?.text ?? '{}') as TermsEdits;
  } catch {
    return {}; // Something else wrote to this storage key.
  }
}
