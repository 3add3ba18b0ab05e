import { Map as MapIcon } from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Tabs } from '../../../ui/controls/tabs.tsx';
import { SidePanel } from '../../side-panel.tsx';
import type { LoomActions } from '../actions.ts';
import { AuthorList } from '../authors-legend.tsx';
import type { OpenLoom, PanelTab } from '../loom.ts';
import { Outline } from '../tree/outline.tsx';
import { ExploreTab } from './explore-tab.tsx';
import { FindTab } from './find-tab.tsx';
import { NodeTab } from './node-tab.tsx';

export const TABS: readonly PanelTab[] = ['Tree', 'Node', 'Find', 'Explore'];

interface PanelProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
}

/** The side panel: the outline with its authors, one node, search, exploring. */
export function Panel({ loom, actions }: PanelProps) {
  const tab = useStore(loom.tab);
  const content = (each: PanelTab) => {
    if (each !== tab) return null;
    if (each === 'Node') return <NodeTab loom={loom} actions={actions} />;
    if (each === 'Find') return <FindTab loom={loom} />;
    if (each === 'Explore') return <ExploreTab loom={loom} />;
    return (
      <>
        <Outline loom={loom} />
        <AuthorList loom={loom} />
      </>
    );
  };
  return (
    <SidePanel
      label="Outline"
      actions={<IconButton icon={MapIcon} label="Map" onClick={() => actions.overlay.set({ kind: 'map' })} />}
    >
      <div data-loom-panel>
        <Tabs
          label="Panel"
          value={tab}
          onChange={loom.tab.set}
          tabs={TABS.map((each) => ({ value: each, label: each, content: content(each) }))}
        />
      </div>
    </SidePanel>
  );
}
