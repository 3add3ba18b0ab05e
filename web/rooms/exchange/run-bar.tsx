import { useState } from 'react';
import { pluralize } from '../../../src/core/text/pluralize.ts';
import { useActions } from '../../shell/actions.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { RunProgress } from '../run-progress.tsx';
import { AuditStatus } from './audit-status.tsx';
import type { LiveExchange } from './live-exchange.ts';
import type { ExchangeStatus } from './queries.ts';
import { ReasonForm } from './reason-form.tsx';

const ROUND_CHOICES = [5, 20, 40, 100, 500];

/** The state, progress and usage of the rounds, with buttons to run, pause or stop them. */
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

  const start = () => attempt(() => exchange.remote.command('run', amount > 0 ? { rounds: amount } : {}));
  const step = () => attempt(() => exchange.remote.command('run', { rounds: 1 }));
  const pause = () => attempt(() => exchange.remote.command('pause_run', {}));
  const resume = () => attempt(() => exchange.remote.command('resume_run', {}));
  const stop = () => attempt(() => exchange.remote.command('stop_run', {}));
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
        {state === 'running' && (
          <ActionButton title="g" onClick={pause}>
            Hold
          </ActionButton>
        )}
        {state === 'paused' && canResume && (
          <ActionButton title="g" onClick={resume}>
            Go on
          </ActionButton>
        )}
        {state !== 'ended' && <ActionButton onClick={stop}>Stop</ActionButton>}
        {state === 'ended' && canResume && (
          <>
            <ActionButton title="g" onClick={start}>
              Run
            </ActionButton>
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
            <ActionButton title="." onClick={step}>
              One round
            </ActionButton>
          </>
        )}
        <ActionButton title="a" onClick={requestAudit}>
          Audit now
        </ActionButton>
        {canSkip && !isSkipping && <ActionButton onClick={() => setSkipping(true)}>Skip this audit</ActionButton>}
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

/** Rounds cannot continue before the observer decides on a restart request. */
function isDecisionPending({ pending, control }: ExchangeStatus): boolean {
  return pending !== undefined && pending.policy !== 'alert' && !control;
}

function RoundsProgress({
  status,
  run,
}: {
  readonly status: ExchangeStatus;
  readonly run: NonNullable<ExchangeStatus['run']>;
}) {
  const { spent, budget, rounds, done, state } = run;
  const minds = status.minds.length;
  const before = [
    rounds ? `${done} of ${rounds} rounds` : pluralize(done, 'round'),
    state === 'running' && minds > 1 && status.spoken > 0 && `${status.spoken} of ${minds} minds have spoken`,
  ];
  const after = [
    budget.rounds !== undefined && `${Math.max(0, budget.rounds - spent.rounds)} rounds of the budget left`,
    budget.seconds !== undefined && `at most ${formatNumber(budget.seconds)} s`,
    status.late > 0 && `${status.late} came too late`,
  ];
  return <RunProgress run={run} steps={spent.rounds} before={before} after={after} />;
}
