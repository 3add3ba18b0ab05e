import { useStore } from '../../../data/store.ts';
import type { LoomActions } from '../actions.ts';
import type { OpenLoom, PanelTab } from '../loom.ts';
import { Tree } from '../tree/tree.tsx';
import { ExploreTab } from './explore-tab.tsx';
import { FindTab } from './find-tab.tsx';
import { NodeTab } from './node-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';

export const TABS: readonly PanelTab[] = ['Tree', 'Node', 'Find', 'Explore', 'Settings'];

/** The side panel: tree, node, search and generation settings. */
export function Panel({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const tab = useStore(loom.tab);
  const caret = useStore(loom.caret);
  const hoistedNode = useStore(loom.hoistedNode);
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
        <Tree
          session={loom.session}
          authors={loom.authors}
          at={caret.node}
          hoistedNode={hoistedNode}
          onHoist={loom.hoistedNode.set}
        />
      )}
      {tab === 'Node' && <NodeTab loom={loom} actions={actions} onHoist={(node) => hoistNode(loom, node)} />}
      {tab === 'Find' && <FindTab loom={loom} />}
      {tab === 'Explore' && <ExploreTab loom={loom} />}
      {tab === 'Settings' && <SettingsTab loom={loom} />}
    </div>
  );
}

/** Limits the tree to what follows a node. */
export function hoistNode(loom: OpenLoom, node: string): void {
  loom.hoistedNode.set(node);
  loom.tab.set('Tree');
}
