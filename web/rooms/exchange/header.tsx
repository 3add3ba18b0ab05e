import {
  Ellipsis,
  FileText,
  FlaskConical,
  GitFork,
  MessageSquare,
  OctagonX,
  Pencil,
  Scale,
  Settings,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { linkToConversation } from '../../../src/core/link.ts';
import { pluralize } from '../../../src/core/text/pluralize.ts';
import { showMoney } from '../../data/money.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate } from '../../shell/address.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { lazyWithRetry } from '../../ui/lazy.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { useIsNarrow } from '../../ui/sheet.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { RoomHeader } from '../room-header.tsx';
import { RenameDialog } from '../thread-menu.tsx';
import type { ExchangeAction } from './action-dialog.tsx';
import styles from './header.module.css';
import type { LiveExchange } from './live-exchange.ts';
import { exchangePath } from './places.ts';

const ActionDialog = lazyWithRetry(async () => (await import('./action-dialog.tsx')).ActionDialog);
const BRANCH_LABELS = { branch: 'Branch of', rollback: 'Rolled back from', control: 'Control branch of' } as const;

interface ExchangeHeaderProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The title, one line of facts, and actions on the whole exchange. */
export function ExchangeHeader({ exchange, status }: ExchangeHeaderProps) {
  const [action, setAction] = useState<ExchangeAction | 'rename'>();
  const row = useStore(threadRows)?.get(exchange.id);
  const { attempt, busy, refusal } = useAttempt();
  const isNarrow = useIsNarrow();
  const audit = () => void attempt(() => exchange.remote.command('audit_now', {}));
  const { halted, branch } = status;
  useActions('This exchange', [
    { name: 'Audit now', keys: ['a'], act: audit, when: !halted },
    { name: 'Branch', keys: ['B'], act: () => setAction('branch') },
    { name: 'Control branch without you', act: () => setAction('control') },
    { name: 'Halt', act: () => setAction('halt'), when: !halted },
  ]);
  return (
    <RoomHeader
      id={exchange.id}
      panelLabel="Drift"
      facts={<Facts status={status} />}
      actions={
        <>
          {!isNarrow && (
            <>
              {!halted && (
                <Button kind="quiet" icon={Scale} disabled={busy} onClick={audit} aria-keyshortcuts="a">
                  Audit now
                </Button>
              )}
              <Button kind="quiet" icon={GitFork} onClick={() => setAction('branch')} aria-keyshortcuts="B">
                Branch
              </Button>
            </>
          )}
          <Menu trigger={<IconButton icon={isNarrow ? Ellipsis : Settings} label="Terms and settings" />}>
            {isNarrow && (
              <>
                {!halted && (
                  <MenuItem icon={Scale} onSelect={audit}>
                    Audit now
                  </MenuItem>
                )}
                <MenuItem icon={GitFork} onSelect={() => setAction('branch')}>
                  Branch
                </MenuItem>
              </>
            )}
            <MenuItem icon={FileText} shortcut="t" onSelect={() => navigate(exchangePath(exchange.id, 'terms'))}>
              Terms
            </MenuItem>
            <MenuItem icon={Pencil} onSelect={() => setAction('rename')}>
              Rename
            </MenuItem>
            <MenuItem icon={MessageSquare} onSelect={() => navigate(linkToConversation(exchange.id))}>
              Discuss
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={FlaskConical} onSelect={() => setAction('control')}>
              Control branch without you
            </MenuItem>
            {!halted && (
              <MenuItem icon={OctagonX} danger onSelect={() => setAction('halt')}>
                Halt
              </MenuItem>
            )}
          </Menu>
        </>
      }
    >
      {branch && (
        <p>
          {BRANCH_LABELS[branch.kind]} <ThreadLink id={branch.from.thread} title="another exchange" /> at round{' '}
          {branch.from.round}
        </p>
      )}
      <RefusalMessage reason={refusal} />
      <Suspense fallback={<div data-modal="" />}>
        {action === 'rename' && row && <RenameDialog row={row} onClose={() => setAction(undefined)} />}
        {action && action !== 'rename' && (
          <ActionDialog exchange={exchange} action={action} onClose={() => setAction(undefined)} />
        )}
      </Suspense>
    </RoomHeader>
  );
}

/** "Paused: needs you · round 5 of 8 · $0.12 of $2.00" */
function Facts({ status }: { readonly status: ExchangeStatus }) {
  const { level, reason } = status.attention;
  const { run, round, audit_due, next_audit, halted } = status;
  const money = run && (run.spent.money > 0 || run.budget.money !== undefined) && showMoney(run.spent.money);
  const parts = [
    run?.rounds !== undefined && run.state !== 'ended'
      ? `round ${round} of ${round - run.done + run.rounds}`
      : `round ${round}`,
    money && (run.budget.money === undefined ? money : `${money} of ${showMoney(run.budget.money)}`),
    !halted &&
      level !== 'needs_you' &&
      (audit_due || next_audit === 0 ? 'audit due' : `next audit in ${pluralize(next_audit, 'round')}`),
  ];
  const state = stateLabel(status);
  return (
    <span className={styles.facts}>
      <span
        role="status"
        aria-label="State of the exchange"
        className={`${styles.state} ${level === 'needs_you' ? styles.needs : ''}`}
        title={escapeBidi(reason)}
        dir="auto"
      >
        {state}
        <span className="unseen">: {escapeBidi(reason)}</span>
      </span>
      <span>{parts.filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** The state in a word or two; what it waits for stands at the end of the story. */
function stateLabel({ attention: { level }, run, halted }: ExchangeStatus): string {
  if (halted) return 'Halted';
  if (level === 'needs_you') return run?.state === 'running' ? 'Needs you' : 'Paused: needs you';
  if (run?.state === 'paused') return 'Paused';
  if (level === 'idle') return run?.state === 'running' ? 'On hold' : 'Idle';
  if (run?.state !== 'running') return 'Auditing';
  return run.waiting ? 'Waiting for a model' : 'Running';
}
