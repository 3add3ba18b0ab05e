import { useState } from 'react';
import { pluralize } from '../../../src/core/text/pluralize.ts';
import { useActions } from '../../shell/actions.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { RunProgress } from '../run-progress.tsx';
import type { LiveDialogue } from './live-dialogue.ts';
import type { DialogueStatus } from './queries.ts';

const ITERATION_CHOICES = [5, 20, 100, 500];

/** The run's state, progress and usage, with buttons to run, pause or stop it. */
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
          <ActionButton title="g" onClick={() => void pause()}>
            Hold
          </ActionButton>
        )}
        {state === 'paused' && (
          <ActionButton title="g" onClick={() => void resume()}>
            Go on
          </ActionButton>
        )}
        {state !== 'ended' && <ActionButton onClick={() => void stop()}>Stop</ActionButton>}
        {state === 'ended' && (
          <>
            <ActionButton title="g" onClick={() => void startRun()}>
              Think
            </ActionButton>
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
            <ActionButton title="." onClick={() => void step()}>
              One step
            </ActionButton>
          </>
        )}
      </fieldset>
      {run && <DialogueRunProgress status={status} run={run} />}
      <RefusalMessage reason={refusal} />
    </div>
  );
}

function DialogueRunProgress({
  status,
  run,
}: {
  readonly status: DialogueStatus;
  readonly run: NonNullable<DialogueStatus['run']>;
}) {
  const { spent, budget, iterations, done } = run;
  const before = [iterations ? `iteration ${done} of ${iterations}` : pluralize(done, 'iteration')];
  const after = [
    budget.iterations !== undefined && `${budget.iterations - spent.iterations} iterations of the budget left`,
    budget.seconds !== undefined && `at most ${formatNumber(budget.seconds)} s`,
    status.late > 0 && `${status.late} late ${status.late === 1 ? 'reply' : 'replies'}, kept but unused`,
  ];
  return <RunProgress run={run} steps={spent.iterations} before={before} after={after} />;
}
