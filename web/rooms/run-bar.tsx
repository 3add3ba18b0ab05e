import { type ReactNode, useState } from 'react';
import type { ThreadClient } from '../../src/client/index.ts';
import { describeRun, type RunUnit, type RunView } from '../../src/core/runs/describe.ts';
import { useStore } from '../data/store.ts';
import { useActions } from '../shell/actions.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { RefusalMessage, type useAttempt } from '../ui/refusal.tsx';
import { clock } from '../ui/time.tsx';
import { ModelWaitLine } from './model-wait.tsx';

/** A room's words for its runs. The names are those of the actions in the palette. */
export interface RunWords {
  readonly room: string;
  readonly label: string;
  readonly unit: RunUnit;
  readonly start: string;
  readonly step: string;
  readonly amount: string;
  /** How much to run, by the number of steps; 0 stands for no number. */
  readonly choices: readonly (readonly [steps: number, label: string])[];
  readonly names: { readonly [Name in 'start' | 'step' | 'pause' | 'resume' | 'stop']: string };
}

interface RunBarProps {
  readonly words: RunWords;
  readonly run: RunView | undefined;
  /** The number of steps chosen at first. */
  readonly initialAmount: number;
  readonly isDisabled?: boolean;
  /** Whether a run may start or go on now. */
  readonly canGo?: boolean;
  readonly attempts: ReturnType<typeof useAttempt>;
  readonly remote: ThreadClient;
  start(steps: number | undefined): Promise<unknown>;
  step(): Promise<unknown>;
  /** More to say about the run, before and after its figures. */
  readonly before?: readonly (string | false)[];
  readonly after?: readonly (string | false)[];
  readonly buttons?: ReactNode;
  readonly children?: ReactNode;
}

/** A run's state, progress and usage, with buttons to run, pause or stop it. */
export function RunBar(props: RunBarProps) {
  const { words, run, isDisabled = false, canGo = true, attempts, remote, buttons, children } = props;
  const { attempt, busy, refusal } = attempts;
  const [amount, setAmount] = useState(props.initialAmount);
  const state = run?.state ?? 'ended';
  const start = () => void attempt(() => props.start(amount > 0 ? amount : undefined));
  const step = () => void attempt(props.step);
  const pause = () => void attempt(() => remote.command('pause_run', {}));
  const resume = () => void attempt(() => remote.command('resume_run', {}));
  const stop = () => void attempt(() => remote.command('stop_run', {}));
  const canStart = state === 'ended' && canGo && !isDisabled;
  const { names } = words;
  useActions(words.room, [
    { name: names.start, keys: ['g'], act: start, when: canStart },
    { name: names.pause, keys: ['g'], act: pause, when: state === 'running' },
    { name: names.resume, keys: ['g'], act: resume, when: state === 'paused' && canGo },
    { name: names.step, keys: ['.'], act: step, when: canStart },
    { name: names.stop, act: stop, when: state !== 'ended' },
  ]);

  return (
    <div className="run-line">
      <fieldset disabled={busy || isDisabled} aria-label={words.label}>
        {state === 'running' && (
          <ActionButton title="g" onClick={pause}>
            Hold
          </ActionButton>
        )}
        {state === 'paused' && canGo && (
          <ActionButton title="g" onClick={resume}>
            Go on
          </ActionButton>
        )}
        {state !== 'ended' && <ActionButton onClick={stop}>Stop</ActionButton>}
        {state === 'ended' && canGo && (
          <>
            <ActionButton title="g" onClick={start}>
              {words.start}
            </ActionButton>
            <select
              aria-label={words.amount}
              value={amount}
              onChange={(event) => setAmount(Number(event.target.value))}
            >
              {words.choices.map(([steps, label]) => (
                <option key={steps} value={steps}>
                  {label}
                </option>
              ))}
            </select>
            <ActionButton title="." onClick={step}>
              {words.step}
            </ActionButton>
          </>
        )}
        {buttons}
      </fieldset>
      {children}
      {run && <RunProgress {...props} run={run} />}
      <RefusalMessage reason={refusal} />
    </div>
  );
}

/** A run's progress, pace, usage and what is left. */
function RunProgress({ words, run, before = [], after = [] }: RunBarProps & { readonly run: RunView }) {
  const now = Math.max(useStore(clock), Date.now());
  const { progress, figures, waiting } = describeRun(run, words.unit, now);
  return (
    <>
      <ModelWaitLine waiting={waiting} />
      <p className="soft progress">{[progress, ...before, ...figures, ...after].filter(Boolean).join(' · ')}</p>
    </>
  );
}
