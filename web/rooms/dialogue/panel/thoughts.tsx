import { useEffect, useMemo, useRef } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import { useAddress } from '../../../shell/address.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import type { PoolSnapshot, PoolThought } from '../../pool/pool.ts';
import { TextActions } from '../../text-actions.tsx';
import styles from './panel.module.css';

/** How many thoughts of a cluster are shown, the newest ones. */
const MAX_PER_CLUSTER = 5;

interface ThoughtsProps {
  readonly thread: string;
  readonly pool: PoolSnapshot;
  /** Thoughts in the input of the iteration that wrote the selected sentence. */
  readonly highlighted: ReadonlySet<number>;
}

/** Thoughts by what they are about: large clusters first, then those that stand alone. */
export function ClusteredThoughts({ thread, pool, highlighted }: ThoughtsProps) {
  const byCluster = useMemo(() => Map.groupBy(pool.thoughts, ({ cluster }) => cluster), [pool]);
  const alone = byCluster.get(null) ?? [];
  return (
    <>
      {pool.clusters.clusters.map(({ id, label, total }) => (
        <ClusterSection
          key={id}
          {...{ thread, highlighted, total }}
          cluster={id}
          label={escapeBidi(label)}
          thoughts={byCluster.get(id) ?? []}
        />
      ))}
      {alone.length > 0 && (
        <ClusterSection
          {...{ thread, highlighted }}
          cluster={null}
          label="On their own"
          thoughts={alone}
          total={alone.length}
        />
      )}
    </>
  );
}

function ClusterSection({
  thread,
  cluster,
  label,
  total,
  thoughts,
  highlighted,
}: Pick<ThoughtsProps, 'thread' | 'highlighted'> & {
  readonly cluster: number | null;
  readonly label: string;
  readonly total: number;
  readonly thoughts: readonly PoolThought[];
}) {
  if (thoughts.length === 0) return null;
  return (
    <section className={styles.cluster} data-hue={cluster === null ? undefined : cluster % 8}>
      <h4>
        <ClusterIcon cluster={cluster} />
        <span className={styles.clusterLabel} dir="auto">
          {label}
        </span>
        <span className={styles.count}>{total}</span>
      </h4>
      <ul>
        {thoughts
          .slice(-MAX_PER_CLUSTER)
          .reverse()
          .map((thought) => (
            <Thought key={thought.id} thread={thread} thought={thought} isHighlighted={highlighted.has(thought.id)} />
          ))}
      </ul>
      {thoughts.length > MAX_PER_CLUSTER && (
        <p className={styles.note}>and {thoughts.length - MAX_PER_CLUSTER} earlier</p>
      )}
    </section>
  );
}

/** All thoughts, oldest first. */
export function ThoughtsInOrder({ thread, pool, highlighted }: ThoughtsProps) {
  return (
    <ol className={styles.inOrder} aria-label="Thoughts in order">
      {pool.thoughts.map((thought) => (
        <Thought
          key={thought.id}
          thread={thread}
          thought={thought}
          isHighlighted={highlighted.has(thought.id)}
          hasMark
        />
      ))}
    </ol>
  );
}

interface ThoughtProps {
  readonly thread: string;
  readonly thought: PoolThought;
  readonly isHighlighted: boolean;
  readonly hasMark?: boolean;
}

function Thought({ thread, thought: { id, iter, text, cluster, active }, isHighlighted, hasMark }: ThoughtProps) {
  const link = linkTo({ id: thread, kind: 'dialogue' }, `thought.${id}`);
  const row = useRef<HTMLLIElement>(null);
  const address = useAddress();
  const isTarget = address.room === 'thread' && address.at === `thought.${id}`;
  useEffect(() => {
    if (!isTarget) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return (
    <li
      ref={row}
      className={styles.thought}
      data-highlighted={isHighlighted || isTarget || undefined}
      data-inactive={!active || undefined}
      data-place={link}
      tabIndex={-1}
    >
      {hasMark && (
        <span className={styles.thoughtMark}>
          <ClusterIcon cluster={cluster} />
        </span>
      )}
      <div title={`Iteration ${iter}`}>
        <Markdown text={text} />
      </div>
      <span className={styles.thoughtActions}>
        <TextActions link={link} text={text} isFolded />
      </span>
    </li>
  );
}
