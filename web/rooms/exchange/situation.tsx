import { FileText, Play, SkipForward } from 'lucide-react';
import { useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { isWaiting } from '../../../src/core/runs/wait.ts';
import { useSelected } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate } from '../../shell/address.ts';
import { hueOf } from '../../ui/people/hue.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { Card } from '../../ui/status/card.tsx';
import { LiveLine } from '../../ui/status/live-line.tsx';
import { StopIcon } from '../../ui/stop-icon.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import type { LiveExchange } from './live-exchange.ts';
import { type Option, Options } from './options.tsx';
import { exchangePath } from './places.ts';
import { ReasonForm } from './reason-form.tsx';
import styles from './situation.module.css';
import { RestartRequest } from './timeline/restart-request.tsx';
import { ModelWaitCard } from './wait-card.tsx';

interface SituationProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** What the exchange waits for now, at the end of its story, with every way out. */
export function Situation({ exchange, status }: SituationProps) {
  const { pending, control, run, auditing } = status;
  if (pending && !control) {
    return <RestartRequest key={pending.restart} exchange={exchange} status={status} restart={pending} />;
  }
  const isRunning = run?.state === 'running';
  const waiting = isRunning ? run.waiting : auditing?.waiting;
  return (
    <>
      {waiting && (
        <ModelWaitCard
          key={waiting.until}
          waiting={waiting}
          what={whoWaits(status)}
          {...(!control && { onAmend: () => navigate(exchangePath(exchange.id, 'terms')) })}
        />
      )}
      <AuditLine exchange={exchange} status={status} />
      <WaysOut exchange={exchange} status={status} />
    </>
  );
}

function whoWaits({ run, auditing }: ExchangeStatus): string {
  return run?.state === 'running' && !auditing ? 'The minds wait for their model' : 'The auditor waits for its model';
}

/** An audit that was asked for, until its first words come. */
function AuditLine({ exchange, status }: SituationProps) {
  const isSeen = useSelected(exchange.liveTexts, (texts) => texts.some(({ purpose }) => purpose === 'auditor'));
  const [since] = useState(Date.now);
  const { auditing } = status;
  if (!auditing || isSeen) return null;
  const { audit, waiting, after_round } = auditing;
  if (after_round || (waiting && isWaiting(waiting, Date.now()))) {
    return (
      <p className={styles.line} role="status" aria-label="Audit">
        Audit {audit} {after_round ? 'starts when this round is over.' : 'was requested.'}
      </p>
    );
  }
  return (
    <p className={styles.line} role="status" aria-label="Audit">
      <LiveLine doing={`The auditor reads for audit ${audit}`} since={since} hue={hueOf('auditor')} />
    </p>
  );
}

type WayOut = 'continue' | 'amend' | 'skip' | 'stop';

const PAUSE_TITLES: Readonly<Record<string, string>> = {
  budget: 'The budget is used up',
  failures: 'The minds failed',
  refused: 'The model refused',
  auditor: 'The audit failed',
};

/** The rounds are held for a reason, or an audit is due that does not come: what can be done about it (X17). */
function WaysOut({ exchange, status }: SituationProps) {
  const { id, remote } = exchange;
  const [isSkipping, setSkipping] = useState(false);
  const { attempt, busy, refusal } = useAttempt();
  const { run, awaiting, halted, audit_due, control } = status;
  const isRunning = run?.state === 'running';
  const isHeld = run?.state === 'paused' && awaiting === undefined && run.reason !== 'asked';
  const canSkip = audit_due && !isRunning && !halted;
  useActions('This exchange', [{ name: 'Skip this audit', act: () => setSkipping(true), when: canSkip }]);
  if (halted || (!isHeld && !canSkip)) return null;
  const options = waysOut(isHeld ? String(run.reason) : undefined, canSkip, control);

  function select(way: WayOut): void {
    if (way === 'continue') void attempt(() => remote.command('resume_run', {}));
    if (way === 'amend') navigate(exchangePath(id, 'terms'));
    if (way === 'skip') setSkipping(!isSkipping);
    if (way === 'stop') void attempt(() => remote.command('stop_run', {}));
  }

  return (
    <Card tone={isHeld ? 'needs' : 'plain'} role="region" aria-label="Your options" className={styles.held}>
      <h2>{isHeld ? (PAUSE_TITLES[String(run.reason)] ?? 'The rounds are paused') : 'An audit is due'}</h2>
      {isHeld && <p dir="auto">{escapeBidi(run.why ?? '')}</p>}
      <Options options={options} selected={isSkipping ? 'skip' : undefined} isDisabled={busy} onSelect={select}>
        <ReasonForm
          label="Skip this audit"
          sendLabel="Skip this audit"
          storageKey={`${id}.skip`}
          placeholder="The minds see it"
          onSend={(reason) => remote.command('skip_audit', { reason })}
          onClose={() => setSkipping(false)}
        />
      </Options>
      <RefusalMessage reason={refusal} />
    </Card>
  );
}

function waysOut(held: string | undefined, canSkip: boolean, isControl: boolean): readonly Option<WayOut>[] {
  const isBudget = held === 'budget';
  return [
    held !== undefined && {
      value: 'continue' as const,
      icon: Play,
      name: isBudget ? 'Continue' : 'Try again',
      effect: isBudget ? 'The run gets the same budget again.' : 'The rounds continue where they stopped.',
      shortcut: 'g',
    },
    !isControl && {
      value: 'amend' as const,
      icon: FileText,
      name: 'Amend the terms',
      effect: isBudget
        ? 'Give the exchange another budget.'
        : 'Choose other models or change the instructions. A changed auditor applies at once.',
      shortcut: 't',
    },
    canSkip && {
      value: 'skip' as const,
      icon: SkipForward,
      name: 'Skip this audit',
      effect: 'The rounds continue without it. The minds see your reason.',
      hasForm: true,
    },
    held !== undefined && {
      value: 'stop' as const,
      icon: StopIcon,
      name: 'Stop the run',
      effect: 'Everything written so far is kept. You can run more rounds at any time.',
    },
  ].filter((option) => option !== false);
}
