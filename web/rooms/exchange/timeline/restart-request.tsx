import { type ReactNode, useState } from 'react';
import type { ExchangeStatus, RestartItem } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { ReasonForm } from '../reason-form.tsx';
import { amendmentSchedule, ChangePreview, hasChanges, useTermsDraft } from '../terms/amend-form.tsx';
import { readTermsForm } from '../terms/draft.ts';
import { TermsFields } from '../terms/fields.tsx';
import { describeEffect } from './entry.tsx';
import { EvidenceList } from './evidence.tsx';

type RestartDecision = NonNullable<RestartItem['answer']>['decision'];

const DECISIONS: readonly { readonly decision: RestartDecision; readonly name: string; readonly effect: string }[] = [
  {
    decision: 'branch',
    name: 'Branch on new terms',
    effect: 'This exchange ends its run; a branch goes on from here.',
  },
  {
    decision: 'rollback',
    name: 'Roll back',
    effect: 'A branch goes on from the end of an earlier round. Nothing is lost.',
  },
  {
    decision: 'amend',
    name: 'Amend the terms',
    effect: 'It goes on here; the change is announced a round before it holds.',
  },
  {
    decision: 'acknowledge',
    name: 'Acknowledge',
    effect: 'It goes on here, unchanged; the pool is told that you heard it.',
  },
  { decision: 'halt', name: 'Halt', effect: 'It ends here. It can still be branched and rolled back.' },
];

interface RestartRequestProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly restart: RestartItem;
}

/** A restart request from the pool: its evidence and the five possible answers (X8). */
export function RestartRequest({ exchange, status, restart }: RestartRequestProps) {
  const [selected, setSelected] = useState<RestartDecision>();
  useActions(
    'The request for a restart',
    DECISIONS.map(({ decision, name }, i) => ({ name, keys: [String(i + 1)], act: () => setSelected(decision) })),
  );
  const isHeld = status.run?.state === 'paused' && restart.policy === 'pause';
  return (
    <section className="restart" aria-label="Request for a restart">
      <header>
        <code className="mark">[RESTART]</code>{' '}
        <span className="soft">
          after round {restart.round}, <Time ts={restart.ts} />
        </span>
      </header>
      <h2>The pool asks for a restart.</h2>
      <EvidenceList thread={exchange.id} restart={restart} />
      <p className="soft">
        {isHeld ? 'The rounds are held until you decide.' : 'It goes on meanwhile.'} Your decision and its reason are
        written down and shown to the pool.
      </p>
      <ul className="answers">
        {DECISIONS.map(({ decision, name, effect }, i) => (
          <li key={decision}>
            <button
              type="button"
              aria-expanded={selected === decision}
              aria-describedby={`does-${decision}`}
              title={String(i + 1)}
              onClick={() => setSelected(selected === decision ? undefined : decision)}
            >
              {name}
            </button>
            <span id={`does-${decision}`} className="soft">
              {effect}
            </span>
            {selected === decision && (
              <DecisionForm
                exchange={exchange}
                status={status}
                decision={decision}
                onClose={() => setSelected(undefined)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecisionFormProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly decision: RestartDecision;
  onClose(): void;
}

function DecisionForm({ exchange, status, decision, onClose }: DecisionFormProps) {
  const { name } = DECISIONS.find((answer) => answer.decision === decision) ?? { name: '' };
  const newestTerms = useStore(exchange.terms)?.versions[0]?.terms;
  const storageKey = `${exchange.id}.decide.${decision}`;

  async function submitDecision(reason: string, form: FormData): Promise<unknown> {
    const title = String(form.get('title') ?? '').trim();
    const draft = newestTerms && form.has('mind_prompt') ? readTermsForm(form, newestTerms) : undefined;
    if (draft && 'problem' in draft) return undefined;
    const changes = draft && hasChanges(draft) ? draft.set : undefined;
    const outcome = await exchange.remote.command('decide', {
      decision,
      reason,
      ...(changes && { set: changes }),
      ...(decision === 'rollback' && { round: Number(form.get('round')) }),
      ...(title && { title }),
    });
    browserStorage.setUnsent(`${storageKey}.terms`, undefined);
    if (outcome.thread.id !== exchange.id) {
      addRow(outcome.thread);
      navigate(`/exchange/${encodeURIComponent(outcome.thread.id)}`);
    }
    return outcome;
  }

  const renderForm = (children?: ReactNode) => (
    <ReasonForm
      label={name}
      sendLabel={name}
      storageKey={storageKey}
      placeholder="Your reason, which the pool is shown"
      onSend={submitDecision}
      onClose={onClose}
    >
      {children}
    </ReasonForm>
  );
  if (decision === 'rollback') {
    return renderForm(
      <label className="inline">
        <span>To the end of round</span>
        <input
          name="round"
          type="number"
          min={0}
          max={status.round}
          defaultValue={Math.max(0, status.round - 1)}
          required
          aria-label="Round to go back to"
        />
        <span className="soft">0 is the beginning</span>
      </label>,
    );
  }
  if (!newestTerms || (decision !== 'branch' && decision !== 'amend')) return renderForm();
  return renderForm(
    <NewTerms storageKey={`${storageKey}.terms`} terms={newestTerms}>
      {decision === 'branch' ? (
        <input
          name="title"
          aria-label="Title"
          placeholder="Title of the branch, if you want to give one"
          maxLength={200}
        />
      ) : (
        <p className="soft">They are {describeEffect(amendmentSchedule(status))}.</p>
      )}
    </NewTerms>,
  );
}

interface NewTermsProps {
  readonly storageKey: string;
  readonly terms: Parameters<typeof useTermsDraft>[1];
  readonly children: ReactNode;
}

function NewTerms({ storageKey, terms, children }: NewTermsProps) {
  const { state, change } = useTermsDraft(storageKey, terms);
  return (
    <div
      className="terms-form"
      onInput={(event) => {
        const { form } = event.target as HTMLInputElement;
        if (form) change(new FormData(form));
      }}
    >
      <TermsFields terms={{ ...terms, ...state.initial }} before={terms} />
      <ChangePreview draft={state.draft} terms={terms} />
      {children}
    </div>
  );
}
