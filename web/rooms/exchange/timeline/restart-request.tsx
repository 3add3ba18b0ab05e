import { Check, GitFork, OctagonX, Pencil, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ExchangeStatus, RestartItem } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { TextField } from '../../../ui/controls/field.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { Card } from '../../../ui/status/card.tsx';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { type Option, Options } from '../options.tsx';
import { ReasonForm } from '../reason-form.tsx';
import { amendmentSchedule, ChangePreview, hasChanges, useTermsDraft } from '../terms/amend-form.tsx';
import { readTermsForm } from '../terms/draft.ts';
import formStyles from '../terms/fields.module.css';
import { TermsFields } from '../terms/fields.tsx';
import { describeEffect } from '../terms/labels.ts';
import { EvidenceList } from './evidence.tsx';
import styles from './restart.module.css';

type RestartDecision = NonNullable<RestartItem['answer']>['decision'];

const DECISIONS: readonly Option<RestartDecision>[] = [
  {
    value: 'branch',
    icon: GitFork,
    name: 'Branch with new terms',
    effect: 'This exchange ends its run. A branch continues from here with the terms you write.',
  },
  {
    value: 'rollback',
    icon: RotateCcw,
    name: 'Roll back',
    effect: 'A branch continues from the end of an earlier round. Nothing is deleted.',
  },
  {
    value: 'amend',
    icon: Pencil,
    name: 'Amend the terms',
    effect: 'This exchange continues. The minds see the change one round before it applies.',
  },
  {
    value: 'acknowledge',
    icon: Check,
    name: 'Acknowledge',
    effect: 'This exchange continues unchanged. The minds see that you read the request.',
  },
  {
    value: 'halt',
    icon: OctagonX,
    name: 'Halt',
    effect: 'This exchange ends. You can still branch it or roll it back.',
  },
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
    'The restart request',
    DECISIONS.map(({ value, name }, i) => ({ name, keys: [String(i + 1)], act: () => setSelected(value) })),
  );
  const isRunning = status.run?.state === 'running';
  const [mind] = restart.evidence.flatMap((each) => (each.by === 'mind' ? [each.mind] : []));
  return (
    <Card tone="needs" role="region" aria-label="Restart request" className={styles.restart}>
      <header className={styles.head}>
        {mind !== undefined && <Face id={mind} />}
        <div>
          <h2>{mind === undefined ? 'The pool asks for a restart' : <MindAsks mind={mind} />}</h2>
          <p>
            After round {restart.round}, <Time ts={restart.ts} /> ·{' '}
            {isRunning ? 'the exchange continues in the meantime' : 'the exchange is paused until you decide'}
          </p>
        </div>
      </header>
      <EvidenceList exchange={exchange} restart={restart} />
      <Options
        options={DECISIONS.map((option, i) => ({ ...option, shortcut: String(i + 1), hasForm: true }))}
        selected={selected}
        onSelect={(value) => setSelected(selected === value ? undefined : value)}
      >
        {selected && (
          <DecisionForm
            exchange={exchange}
            status={status}
            decision={selected}
            onClose={() => setSelected(undefined)}
          />
        )}
      </Options>
    </Card>
  );
}

function MindAsks({ mind }: { readonly mind: string }) {
  return (
    <>
      <Name id={mind} /> asks for a restart
    </>
  );
}

interface DecisionFormProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly decision: RestartDecision;
  onClose(): void;
}

function DecisionForm({ exchange, status, decision, onClose }: DecisionFormProps) {
  const { name } = DECISIONS.find(({ value }) => value === decision) ?? { name: '' };
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
      placeholder="The minds see it"
      onSend={submitDecision}
      onClose={onClose}
    >
      {children}
    </ReasonForm>
  );
  if (decision === 'rollback') {
    return renderForm(
      <div className={styles.rollback}>
        <TextField
          label="Round to go back to"
          hint="0 is the beginning"
          name="round"
          type="number"
          min={0}
          max={status.round}
          defaultValue={Math.max(0, status.round - 1)}
          required
        />
      </div>,
    );
  }
  if (!newestTerms || (decision !== 'branch' && decision !== 'amend')) return renderForm();
  return renderForm(
    <NewTerms storageKey={`${storageKey}.terms`} terms={newestTerms}>
      {decision === 'branch' ? (
        <TextField label="Title of the branch" name="title" placeholder="Optional" maxLength={200} dir="auto" />
      ) : (
        <p>The change is {describeEffect(amendmentSchedule(status))}.</p>
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
      className={formStyles.form}
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
