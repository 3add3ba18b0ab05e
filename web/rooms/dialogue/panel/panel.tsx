import { useMemo } from 'react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { Segments } from '../../../ui/controls/segments.tsx';
import { ClusterTimeline } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import type { SelectedPassage } from '../selected-passage.ts';
import styles from './panel.module.css';
import { usePool } from './pool.ts';
import { ProvenanceSection, shownThoughts, useProvenance } from './provenance.tsx';
import { ClusteredThoughts, ThoughtsInOrder } from './thoughts.tsx';

export type ThoughtsLook = 'clusters' | 'order' | 'map';

const LOOKS: readonly { readonly value: ThoughtsLook; readonly label: string }[] = [
  { value: 'clusters', label: 'Clusters' },
  { value: 'order', label: 'In order' },
  { value: 'map', label: 'Map' },
];

interface DialoguePanelProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly selection: SelectedPassage | undefined;
  readonly look: ThoughtsLook;
  onLook(look: ThoughtsLook): void;
  onSelect(selection: SelectedPassage | undefined): void;
}

/** The side panel: the origin of a sentence, and the mind's thoughts by cluster, in order or as a map. */
export function DialoguePanel({ dialogue, status, selection, look, onLook, onSelect }: DialoguePanelProps) {
  const pool = usePool(dialogue);
  const provenance = useProvenance(dialogue, selection);
  const highlighted = useMemo(
    () => new Set(provenance && 'found' in provenance ? shownThoughts(provenance.found).map(({ id }) => id) : []),
    [provenance],
  );
  const clusterByThought = useMemo(() => new Map(pool?.thoughts.map(({ id, cluster }) => [id, cluster])), [pool]);
  const hasThoughts = pool !== undefined && pool.thoughts.length > 0;
  return (
    <div className={styles.panel}>
      {selection && (
        <ProvenanceSection
          thread={dialogue.id}
          selection={selection}
          clusterByThought={clusterByThought}
          found={provenance}
          onSelect={onSelect}
        />
      )}
      <section aria-label="Pool">
        <div className={styles.head}>
          <h3>{pluralize(status.thoughts, 'thought')}</h3>
          {hasThoughts && <Segments label="Show thoughts" value={look} options={LOOKS} onChange={onLook} />}
        </div>
        {!hasThoughts && <p className={styles.note}>The mind’s thoughts appear here.</p>}
        {hasThoughts && look === 'clusters' && (
          <ClusteredThoughts thread={dialogue.id} pool={pool} highlighted={highlighted} />
        )}
        {hasThoughts && look === 'order' && (
          <ThoughtsInOrder thread={dialogue.id} pool={pool} highlighted={highlighted} />
        )}
        {hasThoughts && look === 'map' && <PoolMap thread={dialogue.id} pool={pool} highlighted={highlighted} />}
      </section>
      {hasThoughts && look !== 'order' && (
        <section aria-label="Clusters over time">
          <h3>Clusters over time</h3>
          <ClusterTimeline clusters={pool.clusters} hasSpan />
        </section>
      )}
    </div>
  );
}
