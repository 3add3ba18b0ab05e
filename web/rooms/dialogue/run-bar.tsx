import { useState } from 'react';
import { formatMoney } from '../../../src/core/text/money.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { clock } from '../../ui/time.tsx';
import { ModelWaitLine } from '../model-wait.tsx';
import type { LiveDialogue } from './live-dialogue.ts';
import type { DialogueStatus } from './queries.ts';

const ITERATION_CHOICES = [5, 20, 100, 500];

/** Whether the mind is at work, how far it is and what it has used; and how to let it, hold it or stop it. */
export function DialogueRunBar({
  dialogue,
  status,
}: {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
}) {
  const { attempt, busy, refusal } = useAttempt();
  const [amount, setAmount] = useState(0);
  const { run } = status;
  const state = run?.state ?? 'ended';

  const startRun = () => attempt(() => dialogue.remote.command('run', amount > 0 ? { iterations: amount } : {}));
  const step = () => attempt(() => dialogue.remote.command('step', {}));
  const pause = () => attempt(() => dialogue.remote.command('pause_run', {}));
  const resume = () => attempt(() => dialogue.remote.command('resume_run', {}));
  const stop = () => attempt(() => dialogue.remote.command('stop_run', {}));
  useActions('This dialogue', [
    { name: 'Let the mind think', keys: ['g'], act: () => void startRun(), when: state === 'ended' },
    { name: 'Hold the mind', keys: ['g'], act: () => void pause(), when: state === 'running' },
    { name: 'Let the mind go on', keys: ['g'], act: () => void resume(), when: state === 'paused' },
    { name: 'Let it think one step', keys: ['.'], act: () => void step(), when: state === 'ended' },
    { name: 'Stop the mind', act: () => void stop(), when: state !== 'ended' },
  ]);

  return (
    <div className="run-line">
      <fieldset disabled={busy} aria-label="Thinking">
        {state === 'running' && (
          <button type="button" className="act" title="g" onClick={() => void pause()}>
            Hold
          </button>
        )}
        {state === 'paused' && (
          <button type="button" className="act" title="g" onClick={() => void resume()}>
            Go on
          </button>
        )}
        {state !== 'ended' && (
          <button type="button" className="act" onClick={() => void stop()}>
            Stop
          </button>
        )}
        {state === 'ended' && (
          <>
            <button type="button" className="act" title="g" onClick={() => void startRun()}>
              Think
            </button>
            <select
              aria-label="For how long"
              value={amount}
              onChange={(event) => setAmount(Number(event.target.value))}
            >
              <option value={0}>until it signals</option>
              {ITERATION_CHOICES.map((iterations) => (
                <option key={iterations} value={iterations}>
                  for {iterations} iterations
                </option>
              ))}
            </select>
            <button type="button" className="act" title="." onClick={() => void step()}>
              One step
            </button>
          </>
        )}
      </fieldset>
      {run && <RunProgress status={status} run={run} />}
      <RefusalMessage reason={refusal} />
    </div>
  );
}

function RunProgress({
  status,
  run,
}: {
  readonly status: DialogueStatus;
  readonly run: NonNullable<DialogueStatus['run']>;
}) {
  const now = useStore(clock);
  const { spent, budget, iterations, done, state } = run;
  const minutes = (Math.max(now, Date.now()) - Date.parse(run.since)) / 60_000;
  const rate = spent.iterations / Math.max(minutes, 1 / 60);
  const parts = [
    iterations ? `iteration ${done} of ${iterations}` : `${done} ${done === 1 ? 'iteration' : 'iterations'}`,
    state === 'running' && spent.iterations > 1 && `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a minute`,
    spent.tokens > 0 && `${formatNumber(spent.tokens)}${formatLimit(budget.tokens)} tokens`,
    spent.money > 0 &&
      `${formatMoney(spent.money)}${budget.money === undefined ? '' : ` of ${formatMoney(budget.money)}`}`,
    budget.iterations !== undefined && `${budget.iterations - spent.iterations} iterations of the budget left`,
    budget.seconds !== undefined && `at most ${formatNumber(budget.seconds)} s`,
    status.late > 0 && `${status.late} late ${status.late === 1 ? 'reply' : 'replies'}, kept but unused`,
  ];
  return (
    <>
      {state === 'running' && <ModelWaitLine waiting={run.waiting} />}
      <p className="soft progress">{parts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function formatLimit(limit: number | undefined): string {
  return limit === undefined ? '' : ` of ${formatNumber(limit)}`;
}
