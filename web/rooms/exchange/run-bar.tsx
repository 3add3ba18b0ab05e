import { useState } from 'react';
import { formatMoney } from '../../../src/core/text/money.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { numeral } from '../../ui/numeral.ts';
import { Refused, useWish } from '../../ui/request.tsx';
import { clock } from '../../ui/time.tsx';
import { WaitingLine } from '../model-wait.tsx';
import { Auditing } from './audit-status.tsx';
import type { Live } from './live-exchange.ts';
import type { Status } from './queries.ts';
import { ReasonForm } from './reason-form.tsx';

const AMOUNTS = [5, 20, 40, 100, 500];

/** Whether rounds are under way, how far they are and what they used; and how to let them run, hold or stop them. */
export function RunLine({ live, status }: { readonly live: Live; readonly status: Status }) {
  const { wish, busy, refusal } = useWish();
  const [amount, setAmount] = useState(20);
  const [isSkipping, setSkipping] = useState(false);
  const { run } = status;
  const state = run?.state ?? 'ended';
  const mayGoOn = !waitsForDecision(status);
  const maySkip = status.audit_due && state !== 'running' && !status.halted;

  const start = () => wish(() => live.remote.command('run_rounds', amount > 0 ? { rounds: amount } : {}));
  const step = () => wish(() => live.remote.command('run_rounds', { rounds: 1 }));
  const hold = () => wish(() => live.remote.command('pause_rounds', {}));
  const goOn = () => wish(() => live.remote.command('resume_rounds', {}));
  const stop = () => wish(() => live.remote.command('stop_rounds', {}));
  const audit = () => wish(() => live.remote.command('audit_now', {}));
  const mayStart = state === 'ended' && mayGoOn && !status.halted;
  useActions('This exchange', [
    { name: 'Run rounds', keys: ['g'], act: () => void start(), when: mayStart },
    { name: 'Run one round', keys: ['.'], act: () => void step(), when: mayStart },
    { name: 'Hold the rounds', keys: ['g'], act: () => void hold(), when: state === 'running' },
    { name: 'Let the rounds go on', keys: ['g'], act: () => void goOn(), when: state === 'paused' && mayGoOn },
    { name: 'Stop the rounds', act: () => void stop(), when: state !== 'ended' },
    { name: 'Skip the audit that is due', act: () => setSkipping(true), when: maySkip },
    { name: 'Ask for an audit now', keys: ['a'], act: () => void audit(), when: !status.halted },
  ]);

  return (
    <div className="run-line">
      <fieldset disabled={busy || status.halted !== undefined} aria-label="Rounds">
        {state === 'running' && <Act name="Hold" hint="g" act={hold} />}
        {state === 'paused' && mayGoOn && <Act name="Go on" hint="g" act={goOn} />}
        {state !== 'ended' && <Act name="Stop" act={stop} />}
        {state === 'ended' && mayGoOn && (
          <>
            <Act name="Run" hint="g" act={start} />
            <select
              aria-label="For how many rounds"
              value={amount}
              onChange={(event) => setAmount(Number(event.target.value))}
            >
              {AMOUNTS.map((rounds) => (
                <option key={rounds} value={rounds}>
                  {rounds} rounds
                </option>
              ))}
              <option value={0}>to the next audit</option>
            </select>
            <Act name="One round" hint="." act={step} />
          </>
        )}
        <Act name="Audit now" hint="a" act={audit} />
        {maySkip && !isSkipping && <Act name="Skip this audit" act={async () => setSkipping(true)} />}
      </fieldset>
      {maySkip && isSkipping && (
        <ReasonForm
          label="Skip this audit"
          does="Skip this audit"
          keep={`${live.id}.skip`}
          placeholder="Your reason, which the pool is shown"
          send={(reason) => live.remote.command('skip_audit', { reason })}
          onClose={() => setSkipping(false)}
        />
      )}
      <Auditing status={status} />
      {run && <Progress status={status} run={run} />}
      <Refused because={refusal} />
    </div>
  );
}

/** Nothing goes on before the observer has decided on a request for a restart. */
function waitsForDecision({ pending, control }: Status): boolean {
  return pending !== undefined && pending.policy !== 'alert' && !control;
}

function Act({ name, hint, act }: { readonly name: string; readonly hint?: string; act(): Promise<unknown> }) {
  return (
    <button type="button" className="act" title={hint} onClick={() => void act()}>
      {name}
    </button>
  );
}

function Progress({ status, run }: { readonly status: Status; readonly run: NonNullable<Status['run']> }) {
  const now = useStore(clock);
  const { spent, budget, rounds, done, state } = run;
  const minutes = (Math.max(now, Date.now()) - Date.parse(run.since)) / 60_000;
  const rate = spent.rounds / Math.max(minutes, 1 / 60);
  const isRunning = state === 'running';
  const minds = status.minds.length;
  const parts = [
    rounds ? `${done} of ${rounds} rounds` : `${done} ${done === 1 ? 'round' : 'rounds'}`,
    isRunning && minds > 1 && status.spoken > 0 && `${status.spoken} of ${minds} minds have spoken`,
    isRunning && spent.rounds > 1 && `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a minute`,
    spent.tokens > 0 && `${numeral(spent.tokens)}${of(budget.tokens)} tokens`,
    spent.money > 0 &&
      `${formatMoney(spent.money)}${budget.money === undefined ? '' : ` of ${formatMoney(budget.money)}`}`,
    budget.rounds !== undefined && `${Math.max(0, budget.rounds - spent.rounds)} rounds of the budget left`,
    budget.seconds !== undefined && `at most ${numeral(budget.seconds)} s`,
    status.late > 0 && `${status.late} came too late`,
  ];
  return (
    <>
      {isRunning && <WaitingLine waiting={run.waiting} />}
      <p className="soft progress">{parts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function of(limit: number | undefined): string {
  return limit === undefined ? '' : ` of ${numeral(limit)}`;
}
