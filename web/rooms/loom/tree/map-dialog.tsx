import { GitBranch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { Face } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { AuthorName } from '../authors-legend.tsx';
import { goToNode, type OpenLoom } from '../loom.ts';
import type { TreeScene } from './draw.ts';
import styles from './map.module.css';
import { TreeMap, useScene } from './map.tsx';

const PREVIEW_LENGTH = 160;

/** The whole tree over the whole page, with a card about one node that leads there. */
export function MapDialog({ loom, onClose }: { readonly loom: OpenLoom; onClose(): void }) {
  const scene = useScene(loom);
  const { node: caretNode } = useStore(loom.caret);
  const [selected, setSelected] = useState<number>();
  const { tree, layout } = scene;
  const here = useMemo(() => {
    const place = caretNode === undefined ? 0 : tree.node.indexOf(caretNode) + 1;
    return place > 0 ? place : (tree.path.at(-1) ?? 0);
  }, [tree, caretNode]);
  const place = selected ?? here;

  function goTo(target: number): void {
    const node = tree.node[target - 1];
    onClose();
    if (node !== undefined) void goToNode(loom, node, Number.MAX_SAFE_INTEGER);
  }

  const counts = [
    formatCount(layout.count, 'node'),
    formatCount(layout.lanes, 'ending'),
    `${formatNumber(tree.path.length)} on your path`,
  ];
  return (
    <Dialog
      title="Map"
      size="full"
      onClose={onClose}
      actions={<span className={styles.facts}>{counts.join(', ')}</span>}
    >
      <div className={styles.map}>
        <TreeMap scene={scene} selected={place} onSelect={setSelected} onGo={goTo} />
        {place > 0 && (
          <NodeCard loom={loom} scene={scene} place={place} isHere={place === here} onGo={() => goTo(place)} />
        )}
      </div>
    </Dialog>
  );
}

interface NodeCardProps {
  readonly loom: OpenLoom;
  readonly scene: TreeScene;
  readonly place: number;
  readonly isHere: boolean;
  onGo(): void;
}

function NodeCard({ loom, scene: { tree }, place, isHere, onGo }: NodeCardProps) {
  const author = tree.authors[tree.author[place - 1]!]?.id ?? '';
  const node = tree.node[place - 1] ?? '';
  const onPath = tree.path.indexOf(place) + 1;
  const text = loom.session.textOf(node).trim();
  const below = tree.children[place - 1] ?? 0;
  return (
    <section className={styles.card} aria-label="Selected node" aria-live="polite">
      <header>
        <Face id={author} size="small" />
        <b>{isHere ? 'You are here' : <AuthorName loom={loom} id={author} />}</b>
        <span>{onPath > 0 ? `${onPath} of ${tree.path.length} on the path` : 'Not on your path'}</span>
      </header>
      <p dir="auto">
        {escapeBidi(text.slice(0, PREVIEW_LENGTH).toWellFormed()) || '(nothing)'}
        {text.length > PREVIEW_LENGTH && '…'}
      </p>
      <footer>
        <Button kind="primary" shortcut="↵" onClick={onGo}>
          Continue here
        </Button>
        {below > 0 && (
          <span>
            <Glyph icon={GitBranch} size={14} /> {formatNumber(below)} below
          </span>
        )}
      </footer>
    </section>
  );
}
