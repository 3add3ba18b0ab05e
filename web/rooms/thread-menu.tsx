import { Archive, ArchiveRestore, Ellipsis, Pencil, Pin, PinOff, Tag } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { pinnedThreads } from '../data/pins.ts';
import { useStore } from '../data/store.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/floating/menu.tsx';
import { lazyWithRetry } from '../ui/lazy.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { toggleArchive, togglePin } from './thread-listing.ts';

/** Loaded when it is first opened. */
export const TagsDialog = lazyWithRetry(async () => (await import('./tags-dialog.tsx')).TagsDialog);
export const RenameDialog = lazyWithRetry(async () => (await import('../shell/rename-dialog.tsx')).RenameDialog);

/** What can be done with a thread from any list of threads. */
export function ThreadMenu({ row }: { readonly row: ThreadRow }) {
  const [dialog, setDialog] = useState<'rename' | 'tags'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${escapeBidi(row.title)}`} />}>
        <MenuItem icon={Pencil} onSelect={() => setDialog('rename')}>
          Rename…
        </MenuItem>
        <MenuSeparator />
        <ListingItems row={row} onTags={() => setDialog('tags')} />
      </Menu>
      <Suspense>
        {dialog === 'tags' && <TagsDialog row={row} onClose={close} />}
        {dialog === 'rename' && <RenameDialog row={row} onClose={close} />}
      </Suspense>
    </>
  );
}

interface ListingItemsProps {
  readonly row: ThreadRow;
  onTags(): void;
}

/** How a thread is listed: for the menu of any room. */
export function ListingItems({ row, onTags }: ListingItemsProps) {
  const isPinned = useStore(pinnedThreads).includes(row.id);
  return (
    <>
      <MenuItem icon={isPinned ? PinOff : Pin} onSelect={() => void togglePin(row)}>
        {isPinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem icon={Tag} onSelect={onTags}>
        Tags…
      </MenuItem>
      <MenuItem icon={row.archived ? ArchiveRestore : Archive} onSelect={() => void toggleArchive(row)}>
        {row.archived ? 'Unarchive' : 'Archive'}
      </MenuItem>
    </>
  );
}
