import {
  Bookmark,
  Columns2,
  Compass,
  CornerDownRight,
  Ellipsis,
  FileInput,
  Keyboard,
  ListTree,
  Map as MapIcon,
  Merge,
  PenLine,
  Redo2,
  Scissors,
  Search,
  Split,
  UserPen,
} from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import type { Icon } from '../../../ui/icon.tsx';
import type { LoomActions } from '../actions.ts';
import { type ActionName, bindingsOf, formatBinding } from '../keymap.ts';
import type { OpenLoom } from '../loom.ts';
import { showTab } from '../panel/show-tab.ts';

/** Everything else that can be done with the text and the tree. */
export function MoreMenu({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const bindings = bindingsOf(useStore(loom.keySettings));
  const item = (name: ActionName, icon: Icon, label: string) => (
    <MenuItem icon={icon} shortcut={formatBinding(bindings[name])} onSelect={actions.actions[name]}>
      {label}
    </MenuItem>
  );
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label="More: fill in, split, explore, find" />}>
      {item('generateHere', CornerDownRight, 'Continue from the caret')}
      {item('fill', PenLine, 'Fill in at the caret')}
      {item('redo', Redo2, 'Redo')}
      <MenuSeparator />
      {item('split', Split, 'Split at the caret')}
      {item('merge', Merge, 'Merge with the node before')}
      {item('bookmark', Bookmark, 'Bookmark, or remove it')}
      {item('prune', Scissors, 'Prune this branch, or restore it')}
      {item('who', UserPen, 'Who wrote this')}
      {item('sides', Columns2, 'Compare branches')}
      <MenuSeparator />
      <MenuItem icon={ListTree} onSelect={() => showTab(loom, 'Tree')}>
        Outline
      </MenuItem>
      <MenuItem icon={MapIcon} onSelect={() => actions.overlay.set({ kind: 'map' })}>
        Map
      </MenuItem>
      {item('find', Search, 'Find')}
      <MenuItem icon={Compass} onSelect={() => showTab(loom, 'Explore')}>
        Explore
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={FileInput} onSelect={() => actions.overlay.set({ kind: 'settings', tab: 'files' })}>
        Import or export
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={() => actions.overlay.set({ kind: 'settings', tab: 'keys' })}>
        Keys
      </MenuItem>
    </Menu>
  );
}
