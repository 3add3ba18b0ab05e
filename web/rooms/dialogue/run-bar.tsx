import { useState } from 'react';
import { formatMoney } from '../../../src/core/text/money.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { numeral } from '../../ui/numeral.ts';
import { Refused, useWish } from '../../ui/request.tsx';
import { clock } from '../../ui/time.tsx';
import { WaitingLine } from '../model-wait.tsx';
import type { Talk } from './live-dialogue.ts';
import type { Status } from './queries.ts';

const AMOUNTS = [5, 20, 100, 500];

/** Whether the mind is at work, how far it is and what it has used; and how to let it, hold it or stop it. */
export function RunLine({ talk, status }: { readonly talk: Talk; readonly status: Status }) {
  const { wish, busy, refusal } = useWish();
  const [amount, setAmount] = useState(0);
  const { run } = status;
  const state = run?.state ?? 'ended';

  const think = () => wish(() => talk.remote.command('run', amount > 0 ? { iterations: amount } : {}));
  const step = () => wish(() => talk.remote.command('step', {}));
  const hold = () => wish(() => talk.remote.command('pause_run', {}));
  const goOn = () => wish(() => talk.remote.command('resume_run', {}));
  const stop = () => wish(() => talk.remote.command('stop_run', {}));
  useActions('This dialogue', [
    { name: 'Let the mind think', keys: ['g'], act: () => void think(), when: state === 'ended' },
    { name: 'Hold the mind', keys: ['g'], act: () => void hold(), when: state === 'running' },
    { name: 'Let the mind go on', keys: ['g'], act: () => void goOn(), when: state === 'paused' },
    { name: 'Let it think one step', keys: ['.'], act: () => void step(), when: state === 'ended' },
    { name: 'Stop the mind', act: () => void stop(), when: state !== 'ended' },
  ]);

  return (
    <div className="run-line">
      <fieldset disabled={busy} aria-label="Thinking">
        {state === 'running' && (
          <button type="button" className="act" title="g" onClick={() => void hold()}>
            Hold
          </button>
        )}
        {state === 'paused' && (
          <button type="button" className="act" title="g" onClick={() => void goOn()}>
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
            <button type="button" className="act" title="g" onClick={() => void think()}>
              Think
            </button>
            <select
              aria-label="For how long"
              value={amount}
              onChange={(event) => setAmount(Number(event.target.value))}
            >
              <option value={0}>until it signals</option>
              {AMOUNTS.map((iterations) => (
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
      {run && <Progress status={status} run={run} />}
      <Refused because={refusal} />
    </div>
  );
}

function Progress({ status, run }: { readonly status: Status; readonly run: NonNullable<Status['run']> }) {
  const now = useStore(clock);
  const { spent, budget, iterations, done, state } = run;
  const minutes = (Math.max(now, Date.now()) - Date.parse(run.since)) / 60_000;
  const rate = spent.iterations / Math.max(minutes, 1 / 60);
  const parts = [
    iterations ? `iteration ${done} of ${iterations}` : `${done} ${done === 1 ? 'iteration' : 'iterations'}`,
    state === 'running' && spent.iterations > 1 && `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a minute`,
    spent.tokens > 0 && `${numeral(spent.tokens)}${of(budget.tokens)} tokens`,
    spent.money > 0 &&
      `${formatMoney(spent.money)}${budget.money === undefined ? '' : ` of ${formatMoney(budget.money)}`}`,
    budget.iterations !== undefined && `${budget.iterations - spent.iterations} iterations of the budget left`,
    budget.seconds !== undefined && `at most ${numeral(budget.seconds)} s`,
    status.late > 0 && `${status.late} late ${status.late === 1 ? 'reply' : 'replies'}, kept but unused`,
  ];
  return (
    <>
      {state === 'running' && <WaitingLine waiting={run.waiting} />}
      <p className="soft progress">{parts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function of(limit: number | undefined): string {
  return limit === undefined ? '' : ` of ${numeral(limit)}`;
}
