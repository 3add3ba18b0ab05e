import { useMemo } from 'react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { RenameButton } from '../../../shell/rename-thread.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { DiscussionLink } from '../../discussion-link.tsx';
import { ClusterTimeline } from '../../pool/cluster-timeline.tsx';
import { PoolMap } from '../../pool/map.tsx';
import { archiveName, archivePath } from '../archive.ts';
import type { SelectedPassage } from '../drafts/draft-list.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import { usePool } from './pool.ts';
import { ProvenanceSection, shownThoughts, useProvenance } from './provenance.tsx';

interface DialoguePanelProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly selection: SelectedPassage | undefined;
  fork(): void;
  onSelect(selection: SelectedPassage): void;
  onConfigure(): void;
}

/** The side panel: the origin of a sentence, the mind's thoughts, and actions on the dialogue. */
export function DialoguePanel({ dialogue, status, selection, fork, onSelect, onConfigure }: DialoguePanelProps) {
  const pool = usePool(dialogue);
  const provenance = useProvenance(dialogue, selection);
  const highlighted = useMemo(
    () => new Set(provenance && 'found' in provenance ? shownThoughts(provenance.found).map(({ id }) => id) : []),
    [provenance],
  );
  const clusterByThought = useMemo(() => new Map(pool?.thoughts.map(({ id, cluster }) => [id, cluster])), [pool]);
  return (
    <div className="panel">
      <section aria-label="Pool">
        <h2>Thoughts</h2>
        {pool && pool.thoughts.length > 0 ? (
          <PoolMap thread={dialogue.id} pool={pool} highlighted={highlighted} />
        ) : (
          <p className="soft">The mind has thought nothing yet.</p>
        )}
      </section>
      {selection && (
        <ProvenanceSection
          thread={dialogue.id}
          selection={selection}
          clusterByThought={clusterByThought}
          found={provenance}
          onSelect={onSelect}
        />
      )}
      {pool && pool.thoughts.length > 0 && (
        <section aria-label="Clusters over time">
          <h2>Clusters over time</h2>
          <ClusterTimeline clusters={pool.clusters} />
        </section>
      )}
      <DialogueTools dialogue={dialogue} status={status} fork={fork} onConfigure={onConfigure} />
    </div>
  );
}

function DialogueTools({
  dialogue,
  status,
  fork,
  onConfigure,
}: Pick<DialoguePanelProps, 'dialogue' | 'status' | 'fork' | 'onConfigure'>) {
  return (
    <section aria-label="This dialogue">
      <h2>This dialogue</h2>
      <div className="controls">
        <RenameButton id={dialogue.id} />
        <ActionButton onClick={fork}>{status.turn ? 'Another topic beside this' : 'Fork'}</ActionButton>
        <ActionButton onClick={onConfigure}>Settings of the mind</ActionButton>
        <a className="act" href={archivePath(dialogue.id)} download={archiveName(dialogue.id)}>
          All drafts as a file
        </a>
        <DiscussionLink id={dialogue.id} />
      </div>
    </section>
  );
}
