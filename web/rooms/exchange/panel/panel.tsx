import { useMemo } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { addRow } from '../../../data/workspace.ts';
import { navigate } from '../../../shell/address.ts';
import { RenameButton } from '../../../shell/rename-thread.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { DiscussionLink } from '../../discussion-link.tsx';
import { ClusterTimeline } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { ReasonForm } from '../reason-form.tsx';
import { DriftPlot } from './drift-plot.tsx';

const NO_THOUGHTS: ReadonlySet<number> = new Set();
const MAX_MAPPED = 200;

/** The action on the whole exchange that is in progress. */
export type ExchangeAction = 'branch' | 'control' | 'halt';

interface ExchangePanelProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly action: ExchangeAction | undefined;
  onAction(action: ExchangeAction | undefined): void;
}

/** The side panel: the pool's drift and clusters, and actions on the exchange. */
export function ExchangePanel({ exchange, status, action, onAction }: ExchangePanelProps) {
  const drift = useStore(exchange.drift);
  const { rounds, audits } = useStore(exchange.timeline);
  const clusters = useStore(exchange.clusters);
  const activeAfter = status.thoughts - status.active;
  const thoughts = useMemo(
    () =>
      rounds
        .flatMap(({ thoughts }) => thoughts)
        .sort((a, b) => a.id - b.id)
        .slice(-MAX_MAPPED)
        .map((thought) => ({ ...thought, active: thought.id > activeAfter })),
    [rounds, activeAfter],
  );
  return (
    <div className="panel">
      <section aria-label="Drift">
        <h2>Drift</h2>
        <DriftPlot rounds={drift} audits={audits.map(({ round }) => round)} />
      </section>
      {clusters && thoughts.length > 0 && (
        <>
          <section aria-label="Clusters">
            <h2>Clusters</h2>
            <ClusterTimeline clusters={clusters} />
          </section>
          <section aria-label="Pool">
            <h2>Thoughts</h2>
            <PoolMap thread={exchange.id} pool={{ thoughts, clusters }} highlighted={NO_THOUGHTS} />
          </section>
        </>
      )}
      <ExchangeTools exchange={exchange} status={status} action={action} onAction={onAction} />
    </div>
  );
}

function ExchangeTools({ exchange, status, action, onAction: setAction }: ExchangePanelProps) {
  async function branch(reason: string, form: FormData): Promise<unknown> {
    const title = String(form.get('title') ?? '').trim();
    const rounds = Number(form.get('rounds') || 0);
    const outcome = await exchange.remote.command('branch', {
      ...(title && { title }),
      ...(reason && { reason }),
      ...(action === 'control' && { control: true as const }),
      ...(rounds > 0 && { rounds }),
    });
    addRow(outcome.thread);
    navigate(`/exchange/${encodeURIComponent(outcome.thread.id)}`);
    return outcome;
  }

  return (
    <section aria-label="This exchange">
      <h2>This exchange</h2>
      {!action && (
        <div className="controls">
          <RenameButton id={exchange.id} />
          <ActionButton title="Shift B" onClick={() => setAction('branch')}>
            Branch from here
          </ActionButton>
          <ActionButton onClick={() => setAction('control')}>Control branch, without you</ActionButton>
          {!status.halted && <ActionButton onClick={() => setAction('halt')}>Halt</ActionButton>}
          <DiscussionLink id={exchange.id} />
        </div>
      )}
      {(action === 'branch' || action === 'control') && (
        <ReasonForm
          key={action}
          label={action === 'branch' ? 'Branch from here' : 'Control branch'}
          sendLabel={action === 'branch' ? 'Branch' : 'Begin the control branch'}
          storageKey={`${exchange.id}.${action}`}
          isOptional
          onSend={branch}
          onClose={() => setAction(undefined)}
        >
          <input name="title" aria-label="Title" placeholder="Title, if you want another" maxLength={200} dir="auto" />
          <input
            name="rounds"
            type="number"
            min={1}
            max={100_000}
            aria-label="Rounds to run at once"
            placeholder="Rounds to run at once"
          />
        </ReasonForm>
      )}
      {action === 'halt' && (
        <ReasonForm
          label="Halt"
          sendLabel="Halt the exchange"
          storageKey={`${exchange.id}.halt`}
          placeholder="Why does it end here?"
          onSend={(reason) => exchange.remote.command('halt', { reason })}
          onClose={() => setAction(undefined)}
        />
      )}
    </section>
  );
}
