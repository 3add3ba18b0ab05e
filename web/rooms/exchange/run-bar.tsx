import { useState } from 'react';
import { formatMoney } from '../../../src/core/text/money.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { clock } from '../../ui/time.tsx';
import { ModelWaitLine } from '../model-wait.tsx';
import { AuditStatus } from './audit-status.tsx';
import type { LiveExchange } from './live-exchange.ts';
import type { ExchangeStatus } from './queries.ts';
import { ReasonForm } from './reason-form.tsx';

const ROUND_CHOICES = [5, 20, 40, 100, 500];

/** Whether rounds are under way, how far they are and what they used; and how to let them run, hold or stop them. */
export function ExchangeRunBar({
  exchange,
  status,
}: {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}) {
  const { attempt, busy, refusal } = useAttempt();
  const [amount, setAmount] = useState(20);
  const [isSkipping, setSkipping] = useState(false);
  const { run } = status;
  const state = run?.state ?? 'ended';
  const canResume = !isDecisionPending(status);
  const canSkip = status.audit_due && state !== 'running' && !status.halted;

  const start = () => attempt(() => exchange.remote.command('run_rounds', amount > 0 ? { rounds: amount } : {}));
  const step = () => attempt(() => exchange.remote.command('run_rounds', { rounds: 1 }));
  const pause = () => attempt(() => exchange.remote.command('pause_rounds', {}));
  const resume = () => attempt(() => exchange.remote.command('resume_rounds', {}));
  const stop = () => attempt(() => exchange.remote.command('stop_rounds', {}));
  const requestAudit = () => attempt(() => exchange.remote.command('audit_now', {}));
  const canStart = state === 'ended' && canResume && !status.halted;
  useActions('This exchange', [
    { name: 'Run rounds', keys: ['g'], act: () => void start(), when: canStart },
    { name: 'Run one round', keys: ['.'], act: () => void step(), when: canStart },
    { name: 'Hold the rounds', keys: ['g'], act: () => void pause(), when: state === 'running' },
    { name: 'Let the rounds go on', keys: ['g'], act: () => void resume(), when: state === 'paused' && canResume },
    { name: 'Stop the rounds', act: () => void stop(), when: state !== 'ended' },
    { name: 'Skip the audit that is due', act: () => setSkipping(true), when: canSkip },
    { name: 'Ask for an audit now', keys: ['a'], act: () => void requestAudit(), when: !status.halted },
  ]);

  return (
    <div className="run-line">
      <fieldset disabled={busy || status.halted !== undefined} aria-label="Rounds">
        {state === 'running' && <ActionButton name="Hold" hint="g" onAct={pause} />}
        {state === 'paused' && canResume && <ActionButton name="Go on" hint="g" onAct={resume} />}
        {state !== 'ended' && <ActionButton name="Stop" onAct={stop} />}
        {state === 'ended' && canResume && (
          <>
            <ActionButton name="Run" hint="g" onAct={start} />
            <select
              aria-label="For how many rounds"
              value={amount}
              onChange={(event) => setAmount(Number(event.target.value))}
            >
              {ROUND_CHOICES.map((rounds) => (
                <option key={rounds} value={rounds}>
                  {rounds} rounds
                </option>
              ))}
              <option value={0}>to the next audit</option>
            </select>
            <ActionButton name="One round" hint="." onAct={step} />
          </>
        )}
        <ActionButton name="Audit now" hint="a" onAct={requestAudit} />
        {canSkip && !isSkipping && <ActionButton name="Skip this audit" onAct={async () => setSkipping(true)} />}
      </fieldset>
      {canSkip && isSkipping && (
        <ReasonForm
          label="Skip this audit"
          sendLabel="Skip this audit"
          storageKey={`${exchange.id}.skip`}
          placeholder="Your reason, which the pool is shown"
          onSend={(reason) => exchange.remote.command('skip_audit', { reason })}
          onClose={() => setSkipping(false)}
        />
      )}
      <AuditStatus status={status} />
      {run && <RoundsProgress status={status} run={run} />}
      <RefusalMessage reason={refusal} />
    </div>
  );
}

/** Nothing goes on before the observer has decided on a request for a restart. */
function isDecisionPending({ pending, control }: ExchangeStatus): boolean {
  return pending !== undefined && pending.policy !== 'alert' && !control;
}

function ActionButton({
  name,
  hint,
  onAct,
}: {
  readonly name: string;
  readonly hint?: string;
  onAct(): Promise<unknown>;
}) {
  return (
    <button type="button" className="act" title={hint} onClick={() => void onAct()}>
      {name}
    </button>
  );
}

function RoundsProgress({
  status,
  run,
}: {
  readonly status: ExchangeStatus;
  readonly run: NonNullable<ExchangeStatus['run']>;
}) {
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
    spent.tokens > 0 && `${formatNumber(spent.tokens)}${formatLimit(budget.tokens)} tokens`,
    spent.money > 0 &&
      `${formatMoney(spent.money)}${budget.money === undefined ? '' : ` of ${formatMoney(budget.money)}`}`,
    budget.rounds !== undefined && `${Math.max(0, budget.rounds - spent.rounds)} rounds of the budget left`,
    budget.seconds !== undefined && `at most ${formatNumber(budget.seconds)} s`,
    status.late > 0 && `${status.late} came too late`,
  ];
  return (
    <>
      {isRunning && <ModelWaitLine waiting={run.waiting} />}
      <p className="soft progress">{parts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function formatLimit(limit: number | undefined): string {
  return limit === undefined ? '' : ` of ${formatNumber(limit)}`;
}
