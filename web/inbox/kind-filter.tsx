import { SlidersHorizontal } from 'lucide-react';
import { useStore } from '../data/store.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../ui/floating/menu.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { kindWords } from '../ui/kinds.ts';
import { hiddenKinds, toggleKind } from './hidden-kinds.ts';

/** Which kinds of threads the inbox shows. */
export function KindFilter({ kinds }: { readonly kinds: readonly string[] }) {
  const hidden = useStore(hiddenKinds);
  const label = hidden.size === 0 ? 'Filter the inbox' : 'Filter the inbox: some kinds are hidden';
  return (
    <Menu trigger={<IconButton icon={SlidersHorizontal} label={label} aria-pressed={hidden.size > 0} />}>
      {kinds.map((kind) => (
        <MenuCheck
          key={kind}
          checked={!hidden.has(kind)}
          face={<KindIcon kind={kind} />}
          onChange={() => toggleKind(kind)}
        >
          {kindWords(kind).many}
        </MenuCheck>
      ))}
      <MenuSeparator />
      <MenuItem disabled={hidden.size === 0} onSelect={() => hiddenKinds.set(new Set())}>
        Show everything
      </MenuItem>
    </Menu>
  );
}
