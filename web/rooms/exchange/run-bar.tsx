import { ChevronDown, Pause, Play, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { describeRun } from '../../../src/core/runs/describe.ts';
import { formatCount } from '../../../src/core/text/pluralize.ts';
import { currency } from '../../data/money.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../ui/floating/menu.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { useIsNarrow } from '../../ui/sheet.tsx';
import { LiveLine } from '../../ui/status/live-line.tsx';
import { StopIcon } from '../../ui/stop-icon.tsx';
import { clock } from '../../ui/time.tsx';
import type { LiveExchange } from './live-exchange.ts';
import styles from './run-bar.module.css';

const AMOUNTS = [
  ...[5, 20, 40, 100, 500].map((rounds) => [rounds, `${rounds} rounds`] as const),
  [0, 'to the next audit'] as const,
];

interface ExchangeRunBarProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** Runs, pauses and stops the rounds; above the composer, so that Stop is always at hand. */
export function ExchangeRunBar({ exchange: { remote }, status }: ExchangeRunBarProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [amount, setAmount] = useState(20);
  const { run, halted, awaiting } = status;
  const state = run?.state ?? 'ended';
  const canGo = !isDecisionPending(status) && !halted;
  const start = () => void attempt(() => remote.command('run', amount > 0 ? { rounds: amount } : {}));
  const step = () => void attempt(() => remote.command('run', { rounds: 1 }));
  const pause = () => void attempt(() => remote.command('pause_run', {}));
  const resume = () => void attempt(() => remote.command('resume_run', {}));
  const stop = () => void attempt(() => remote.command('stop_run', {}));
  const canStart = state === 'ended' && canGo;
  useActions('This exchange', [
    { name: 'Run rounds', keys: ['g'], act: start, when: canStart },
    { name: 'Run one round', keys: ['.'], act: step, when: canStart },
    { name: 'Pause the rounds', keys: ['g'], act: pause, when: state === 'running' },
    { name: 'Continue the rounds', keys: ['g'], act: resume, when: state === 'paused' && canGo },
    { name: 'Stop the rounds', act: stop, when: state !== 'ended' },
  ]);
  if (!canGo && state !== 'running') return null;
  const label = AMOUNTS.find(([rounds]) => rounds === amount)?.[1] ?? '';
  // One primary action a view: an answer comes first.
  const kind = awaiting === undefined ? 'primary' : 'secondary';
  return (
    <div className={styles.dock}>
      <fieldset className={styles.bar} disabled={busy} aria-label="Rounds">
        {state === 'ended' && (
          <>
            <span className={styles.split}>
              <Button kind={kind} icon={Play} shortcut="g" onClick={start}>
                Run {label}
              </Button>
              <Menu trigger={<IconButton kind={kind} icon={ChevronDown} label="How many rounds" />}>
                {AMOUNTS.map(([rounds, text]) => (
                  <MenuItem key={rounds} onSelect={() => setAmount(rounds)}>
                    {text}
                  </MenuItem>
                ))}
              </Menu>
            </span>
            <Button icon={StepForward} shortcut="." onClick={step}>
              One round
            </Button>
          </>
        )}
        {/* What holds the rounds has its own card, with this and every other way out. */}
        {state === 'paused' && run?.reason === 'asked' && canGo && awaiting === undefined && (
          <Button kind="primary" icon={Play} shortcut="g" onClick={resume}>
            Continue
          </Button>
        )}
        <RunFacts status={status} />
        {state === 'running' && (
          <Button icon={Pause} shortcut="g" onClick={pause}>
            Pause
          </Button>
        )}
        {state !== 'ended' && (
          <Button icon={StopIcon} onClick={stop}>
            Stop
          </Button>
        )}
      </fieldset>
      <RefusalMessage reason={refusal} />
    </div>
  );
}

/** A run's progress, pace, usage and what is left. */
function RunFacts({ status }: { readonly status: ExchangeStatus }) {
  const now = Math.max(useStore(clock), Date.now());
  const isNarrow = useIsNarrow();
  const { run, minds, spoken, late, round } = status;
  if (!run) return <span className={styles.facts} />;
  const { progress, line } = describeRun(run, 'round', now, currency.get());
  const isRunning = run.state === 'running';
  const parts = [
    line[0],
    isRunning && minds.length > 1 && spoken > 0 && `${spoken} of ${minds.length} minds have spoken`,
    ...line.slice(1),
    late > 0 && `${formatCount(late, 'late reply', 'late replies')}, kept but unused`,
  ];
  return (
    <p className={styles.facts}>
      {isRunning && !run.interrupted && <LiveLine doing={`Round ${round + 1}`} since={Date.parse(run.since)} />}
      <span>{(isNarrow ? [progress] : parts).filter(Boolean).join(' · ')}</span>
    </p>
  );
}

/** Rounds cannot continue before the observer decides on a restart request. */
function isDecisionPending({ pending, control }: ExchangeStatus): boolean {
  return pending !== undefined && pending.policy !== 'alert' && !control;
}
