import type { ExchangeStatus } from '../../../src/client/index.ts';
import { formatNumber } from '../../../src/core/text/format-number.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { firstLine } from '../../ui/text/first-line.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { RoomHeader } from '../room-header.tsx';
import type { LiveExchange } from './live-exchange.ts';
import { exchangePath } from './places.ts';

const LEVEL_LABELS: Readonly<Record<ExchangeStatus['attention']['level'], string>> = {
  needs_you: 'Needs you.',
  running: 'Running.',
  idle: 'Idle.',
};
const PHASE_LABELS = {
  free_running: 'free-running phase',
  structured: 'structured: audits ask for your answer',
} as const;
const BRANCH_LABELS = { branch: 'a branch of', rollback: 'gone back from', control: 'a control branch of' } as const;

/** The title of the exchange, what it needs from the observer, and its status. */
export function ExchangeHeader({
  exchange,
  status,
}: {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}) {
  const title = escapeBidi(useStore(threadRows)?.get(exchange.id)?.title ?? '');
  const { level, reason } = status.attention;
  const { branch } = status;
  return (
    <>
      <RoomHeader
        id={exchange.id}
        panelLabel="Pool"
        link={
          <a className="act" href={exchangePath(exchange.id, 'terms')} data-in-page title="t">
            Terms
          </a>
        }
      >
        {status.question !== '' && !title.startsWith(status.question) && (
          <p className="soft" dir="auto" title={escapeBidi(status.question)}>
            {firstLine(status.question, 160)}
          </p>
        )}
        {branch && (
          <p className="soft">
            {BRANCH_LABELS[branch.kind]} <ThreadLink id={branch.from.thread} title="another exchange" /> at round{' '}
            {branch.from.round}
          </p>
        )}
      </RoomHeader>
      <div className="wants">
        <p className={`attention ${level}`} role="status" aria-label="What the exchange wants">
          <b>{LEVEL_LABELS[level]}</b> <span dir="auto">{escapeBidi(reason)}</span>
        </p>
        <p className="soft standing-line">
          round {status.round} · {PHASE_LABELS[status.phase]} · {formatNumber(status.thoughts)}{' '}
          {status.thoughts === 1 ? 'thought' : 'thoughts'}, {status.active} active
          {!status.halted && ` · ${nextAuditText(status)}`}
        </p>
      </div>
    </>
  );
}

function nextAuditText({ audit_due, next_audit }: ExchangeStatus): string {
  if (audit_due || next_audit === 0) return 'an audit is due';
  return next_audit === 1 ? 'next audit after one round' : `next audit after ${next_audit} rounds`;
}
