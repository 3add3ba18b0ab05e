import { type ReactNode, useState } from 'react';
import { kept } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { go } from '../../../shell/address.ts';
import { Time } from '../../../ui/time.tsx';
import type { Live } from '../live-exchange.ts';
import type { Restart, Status } from '../queries.ts';
import { ReasonForm } from '../reason-form.tsx';
import { isChange, useTermsDraft, WouldChange, whenAmended } from '../terms/amend-form.tsx';
import { draftOf } from '../terms/draft.ts';
import { TermsFields } from '../terms/fields.tsx';
import { effectOf } from './entry.tsx';
import { Evidence } from './evidence.tsx';

type Decision = NonNullable<Restart['answer']>['decision'];

const ANSWERS: readonly { readonly decision: Decision; readonly name: string; readonly does: string }[] = [
  { decision: 'branch', name: 'Branch on new terms', does: 'This exchange ends its run; a branch goes on from here.' },
  {
    decision: 'rollback',
    name: 'Roll back',
    does: 'A branch goes on from the end of an earlier round. Nothing is lost.',
  },
  {
    decision: 'amend',
    name: 'Amend the terms',
    does: 'It goes on here; the change is announced a round before it holds.',
  },
  {
    decision: 'acknowledge',
    name: 'Acknowledge',
    does: 'It goes on here, unchanged; the pool is told that you heard it.',
  },
  { decision: 'halt', name: 'Halt', does: 'It ends here. It can still be branched and rolled back.' },
];

interface RestartRequestProps {
  readonly live: Live;
  readonly status: Status;
  readonly restart: Restart;
}

/** The pool asks for a restart: what that rests on, and the five answers (X8). */
export function RestartRequest({ live, status, restart }: RestartRequestProps) {
  const [chosen, setChosen] = useState<Decision>();
  useActions(
    'The request for a restart',
    ANSWERS.map(({ decision, name }, i) => ({ name, keys: [String(i + 1)], act: () => setChosen(decision) })),
  );
  const waits = status.run?.state === 'paused' && restart.policy === 'pause';
  return (
    <section className="restart" aria-label="Request for a restart">
      <header>
        <code className="mark">[RESTART]</code>{' '}
        <span className="soft">
          after round {restart.round}, <Time ts={restart.ts} />
        </span>
      </header>
      <h2>The pool asks for a restart.</h2>
      <Evidence thread={live.id} evidence={restart.evidence} />
      <p className="soft">
        {waits ? 'The rounds are held until you decide.' : 'It goes on meanwhile.'} Your decision and its reason are
        written down and shown to the pool.
      </p>
      <ul className="answers">
        {ANSWERS.map(({ decision, name, does }, i) => (
          <li key={decision}>
            <button
              type="button"
              aria-expanded={chosen === decision}
              aria-describedby={`does-${decision}`}
              title={String(i + 1)}
              onClick={() => setChosen(chosen === decision ? undefined : decision)}
            >
              {name}
            </button>
            <span id={`does-${decision}`} className="soft">
              {does}
            </span>
            {chosen === decision && (
              <Decide live={live} status={status} decision={decision} onClose={() => setChosen(undefined)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecideProps {
  readonly live: Live;
  readonly status: Status;
  readonly decision: Decision;
  onClose(): void;
}

function Decide({ live, status, decision, onClose }: DecideProps) {
  const { name } = ANSWERS.find((answer) => answer.decision === decision) ?? { name: '' };
  const newest = useStore(live.terms)?.versions[0]?.terms;
  const keep = `${live.id}.decide.${decision}`;

  async function decide(reason: string, form: FormData): Promise<unknown> {
    const title = String(form.get('title') ?? '').trim();
    const draft = newest && form.has('mind_prompt') ? draftOf(form, newest) : undefined;
    if (draft && 'problem' in draft) return undefined;
    const set = draft && isChange(draft) ? draft.set : undefined;
    const done = await live.remote.command('decide', {
      decision,
      reason,
      ...(set && { set }),
      ...(decision === 'rollback' && { round: Number(form.get('round')) }),
      ...(title && { title }),
    });
    kept.keepUnsent(`${keep}.terms`, undefined);
    if (done.thread.id !== live.id) {
      addRow(done.thread);
      go(`/exchange/${encodeURIComponent(done.thread.id)}`);
    }
    return done;
  }

  const form = (children?: ReactNode) => (
    <ReasonForm
      label={name}
      does={name}
      keep={keep}
      placeholder="Your reason, which the pool is shown"
      send={decide}
      onClose={onClose}
    >
      {children}
    </ReasonForm>
  );
  if (decision === 'rollback') {
    return form(
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
  if (!newest || (decision !== 'branch' && decision !== 'amend')) return form();
  return form(
    <NewTerms keep={`${keep}.terms`} terms={newest}>
      {decision === 'branch' ? (
        <input
          name="title"
          aria-label="Title"
          placeholder="Title of the branch, if you want to give one"
          maxLength={200}
        />
      ) : (
        <p className="soft">They are {effectOf(whenAmended(status))}.</p>
      )}
    </NewTerms>,
  );
}

interface NewTermsProps {
  readonly keep: string;
  readonly terms: Parameters<typeof useTermsDraft>[1];
  readonly children: ReactNode;
}

function NewTerms({ keep, terms, children }: NewTermsProps) {
  const { set, change } = useTermsDraft(keep, terms);
  return (
    <div
      className="terms-form"
      onInput={(event) => {
        const { form } = event.target as HTMLInputElement;
        if (form) change(new FormData(form));
      }}
    >
      <TermsFields terms={{ ...terms, ...set.started }} before={terms} />
      <WouldChange draft={set.draft} terms={terms} />
      {children}
    </div>
  );
}
