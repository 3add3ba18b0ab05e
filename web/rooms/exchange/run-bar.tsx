import { useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { formatCount } from '../../../src/core/text/pluralize.ts';
import { useActions } from '../../shell/actions.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useAttempt } from '../../ui/refusal.tsx';
import { RunBar, type RunWords } from '../run-bar.tsx';
import { AuditStatus } from './audit-status.tsx';
import type { LiveExchange } from './live-exchange.ts';
import { ReasonForm } from './reason-form.tsx';

const WORDS: RunWords = {
  ...{ room: 'This exchange', label: 'Rounds', unit: 'round' as const, start: 'Run', step: 'One round' },
  amount: 'For how many rounds',
  choices: [...[5, 20, 40, 100, 500].map((rounds) => [rounds, `${rounds} rounds`] as const), [0, 'to the next audit']],
  names: {
    start: 'Run rounds',
    step: 'Run one round',
    pause: 'Hold the rounds',
    resume: 'Let the rounds go on',
    stop: 'Stop the rounds',
  },
};

interface ExchangeRunBarProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The bar of the rounds, with buttons to ask for an audit or to skip it. */
export function ExchangeRunBar({ exchange: { id, remote }, status }: ExchangeRunBarProps) {
  const attempts = useAttempt();
  const [isSkipping, setSkipping] = useState(false);
  const { run, late, spoken, minds, halted } = status;
  const isRunning = run?.state === 'running';
  const canSkip = status.audit_due && !isRunning && !halted;
  const requestAudit = () => void attempts.attempt(() => remote.command('audit_now', {}));
  useActions(WORDS.room, [
    { name: 'Skip the audit that is due', act: () => setSkipping(true), when: canSkip },
    { name: 'Ask for an audit now', keys: ['a'], act: requestAudit, when: !halted },
  ]);

  return (
    <RunBar
      words={WORDS}
      run={run}
      initialAmount={20}
      isDisabled={halted !== undefined}
      canGo={!isDecisionPending(status)}
      attempts={attempts}
      remote={remote}
      start={(rounds) => remote.command('run', rounds ? { rounds } : {})}
      step={() => remote.command('run', { rounds: 1 })}
      before={[isRunning && minds.length > 1 && spoken > 0 && `${spoken} of ${minds.length} minds have spoken`]}
      after={[late > 0 && `${formatCount(late, 'late reply', 'late replies')}, kept but unused`]}
      buttons={
        <>
          <ActionButton title="a" onClick={requestAudit}>
            Audit now
          </ActionButton>
          {canSkip && !isSkipping && <ActionButton onClick={() => setSkipping(true)}>Skip this audit</ActionButton>}
        </>
      }
    >
      {canSkip && isSkipping && (
        <ReasonForm
          label="Skip this audit"
          sendLabel="Skip this audit"
          storageKey={`${id}.skip`}
          placeholder="Your reason, which the pool is shown"
          onSend={(reason) => remote.command('skip_audit', { reason })}
          onClose={() => setSkipping(false)}
        />
      )}
      <AuditStatus status={status} />
    </RunBar>
  );
}

/** Rounds cannot continue before the observer decides on a restart request. */
function isDecisionPending({ pending, control }: ExchangeStatus): boolean {
  return pending !== undefined && pending.policy !== 'alert' && !control;
}
