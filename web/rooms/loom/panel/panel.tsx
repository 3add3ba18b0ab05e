import { useStore } from '../../../data/store.ts';
import type { LoomActions } from '../actions.ts';
import type { Loom, Tab } from '../loom.ts';
import { Tree } from '../tree/tree.tsx';
import { Explore } from './explore-tab.tsx';
import { FindIn } from './find-tab.tsx';
import { NodeWords } from './node-tab.tsx';
import { Settings } from './settings-tab.tsx';

export const TABS: readonly Tab[] = ['Tree', 'Node', 'Find', 'Explore', 'Settings'];

/** The panel beside the text: the tree, one node, finding, and how text is generated. */
export function Panel({ loom, actions }: { readonly loom: Loom; readonly actions: LoomActions }) {
  const tab = useStore(loom.tab);
  const caret = useStore(loom.caret);
  const hoisted = useStore(loom.hoisted);
  return (
    <div className="loom-panel">
      <div role="tablist" aria-label="Beside the text" className="tabs">
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            className="act"
            onClick={() => loom.tab.set(each)}
          >
            {each}
          </button>
        ))}
      </div>
      {tab === 'Tree' && (
        <Tree desk={loom.desk} authors={loom.authors} at={caret.node} hoisted={hoisted} onHoist={loom.hoisted.set} />
      )}
      {tab === 'Node' && <NodeWords loom={loom} actions={actions} onHoist={(node) => hoist(loom, node)} />}
      {tab === 'Find' && <FindIn loom={loom} />}
      {tab === 'Explore' && <Explore loom={loom} />}
      {tab === 'Settings' && <Settings loom={loom} />}
    </div>
  );
}

/** Shows in the tree only what follows a node. */
export function hoist(loom: Loom, node: string): void {
  loom.hoisted.set(node);
  loom.tab.set('Tree');
}
