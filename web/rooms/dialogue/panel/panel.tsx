import { useMemo } from 'react';
import { ToSaidBeside } from '../../discussion-link.tsx';
import { ClusterTimes } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import type { Touched } from '../drafts/draft-list.tsx';
import type { Talk } from '../live-dialogue.ts';
import { archiveName, archivePath, type Status } from '../queries.ts';
import { usePool } from './pool.ts';
import { shownIn, useWhereFrom, WhereFrom } from './provenance.tsx';

interface PanelProps {
  readonly talk: Talk;
  readonly status: Status;
  readonly touched: Touched | undefined;
  fork(): void;
  onTouch(touched: Touched): void;
  onConfigure(): void;
}

/** Beside the drafts: where a sentence came from, what the mind thinks about, and the dialogue itself. */
export function Panel({ talk, status, touched, fork, onTouch, onConfigure }: PanelProps) {
  const pool = usePool(talk);
  const found = useWhereFrom(talk, touched);
  const lit = useMemo(
    () => new Set(found && 'found' in found ? shownIn(found.found).map(({ id }) => id) : []),
    [found],
  );
  const placed = useMemo(() => new Map(pool?.thoughts.map(({ id, cluster }) => [id, cluster])), [pool]);
  return (
    <div className="panel">
      <section aria-label="Pool">
        <h2>Thoughts</h2>
        {pool && pool.thoughts.length > 0 ? (
          <PoolMap thread={talk.id} pool={pool} lit={lit} />
        ) : (
          <p className="soft">The mind has thought nothing yet.</p>
        )}
      </section>
      {touched && <WhereFrom thread={talk.id} touched={touched} placed={placed} found={found} onTouch={onTouch} />}
      {pool && pool.thoughts.length > 0 && (
        <section aria-label="Clusters over time">
          <h2>Clusters over time</h2>
          <ClusterTimes clusters={pool.clusters} />
        </section>
      )}
      <ThisDialogue talk={talk} status={status} fork={fork} onConfigure={onConfigure} />
    </div>
  );
}

function ThisDialogue({
  talk,
  status,
  fork,
  onConfigure,
}: Pick<PanelProps, 'talk' | 'status' | 'fork' | 'onConfigure'>) {
  return (
    <section aria-label="This dialogue">
      <h2>This dialogue</h2>
      <p className="controls">
        <button type="button" className="act" onClick={fork}>
          {status.turn ? 'Another topic beside this' : 'Fork'}
        </button>
        <button type="button" className="act" onClick={onConfigure}>
          Settings of the mind
        </button>
        <a className="act" href={archivePath(talk.id)} download={archiveName(talk.id)}>
          All drafts as a file
        </a>
        <ToSaidBeside id={talk.id} />
      </p>
    </section>
  );
}
