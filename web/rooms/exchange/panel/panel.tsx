import { useMemo } from 'react';
import { useStore } from '../../../data/store.ts';
import { addRow } from '../../../data/workspace.ts';
import { go } from '../../../shell/address.ts';
import { ToSaidBeside } from '../../discussion-link.tsx';
import { ClusterTimes } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import type { Live } from '../live-exchange.ts';
import type { Status } from '../queries.ts';
import { ReasonForm } from '../reason-form.tsx';
import { DriftPlot } from './drift-plot.tsx';

const NOTHING: ReadonlySet<number> = new Set();
const MAPPED = 200;

/** What is being done with the exchange as a whole. */
export type Doing = 'branch' | 'control' | 'halt';

interface PanelProps {
  readonly live: Live;
  readonly status: Status;
  readonly doing: Doing | undefined;
  onDoing(doing: Doing | undefined): void;
}

/** Beside the timeline: where the pool is going, what it is about, and what can be done with the exchange. */
export function Panel({ live, status, doing, onDoing }: PanelProps) {
  const drift = useStore(live.drift);
  const { rounds, audits } = useStore(live.happened);
  const clusters = useStore(live.clusters);
  const activeAfter = status.thoughts - status.active;
  const thoughts = useMemo(
    () =>
      rounds
        .flatMap(({ thoughts }) => thoughts)
        .sort((a, b) => a.id - b.id)
        .slice(-MAPPED)
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
            <ClusterTimes clusters={clusters} />
          </section>
          <section aria-label="Pool">
            <h2>Thoughts</h2>
            <PoolMap thread={live.id} pool={{ thoughts, clusters }} lit={NOTHING} />
          </section>
        </>
      )}
      <ThisExchange live={live} status={status} doing={doing} onDoing={onDoing} />
    </div>
  );
}

function ThisExchange({ live, status, doing, onDoing: setDoing }: PanelProps) {
  async function branch(reason: string, form: FormData): Promise<unknown> {
    const title = String(form.get('title') ?? '').trim();
    const rounds = Number(form.get('rounds') || 0);
    const done = await live.remote.command('branch', {
      ...(title && { title }),
      ...(reason && { reason }),
      ...(doing === 'control' && { control: true as const }),
      ...(rounds > 0 && { rounds }),
    });
    addRow(done.thread);
    go(`/exchange/${encodeURIComponent(done.thread.id)}`);
    return done;
  }

  return (
    <section aria-label="This exchange">
      <h2>This exchange</h2>
      {!doing && (
        <div className="controls">
          <button type="button" className="act" title="Shift B" onClick={() => setDoing('branch')}>
            Branch from here
          </button>
          <button type="button" className="act" onClick={() => setDoing('control')}>
            Control branch, without you
          </button>
          {!status.halted && (
            <button type="button" className="act" onClick={() => setDoing('halt')}>
              Halt
            </button>
          )}
          <ToSaidBeside id={live.id} />
        </div>
      )}
      {(doing === 'branch' || doing === 'control') && (
        <ReasonForm
          key={doing}
          label={doing === 'branch' ? 'Branch from here' : 'Control branch'}
          does={doing === 'branch' ? 'Branch' : 'Begin the control branch'}
          keep={`${live.id}.${doing}`}
          isOptional
          send={branch}
          onClose={() => setDoing(undefined)}
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
      {doing === 'halt' && (
        <ReasonForm
          label="Halt"
          does="Halt the exchange"
          keep={`${live.id}.halt`}
          placeholder="Why does it end here?"
          send={(reason) => live.remote.command('halt', { reason })}
          onClose={() => setDoing(undefined)}
        />
      )}
    </section>
  );
}
