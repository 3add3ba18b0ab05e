import { Download, Ellipsis, GitFork, MessagesSquare, Pencil, Settings } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { DialogueStatus } from '../../../src/client/index.ts';
import { linkToConversation } from '../../../src/core/link.ts';
import { pluralize } from '../../../src/core/text/pluralize.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { navigate } from '../../shell/address.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { download } from '../../ui/files.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { Name } from '../../ui/people/participant.tsx';
import { useIsNarrow } from '../../ui/sheet.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { RoomHeader } from '../room-header.tsx';
import { RenameDialog } from '../thread-menu.tsx';
import { archiveName, archivePath } from './archive.ts';

interface DialogueHeaderProps {
  readonly id: string;
  readonly status: DialogueStatus;
  /** The model that wrote last, if none is set. */
  readonly model: string | undefined;
  readonly turns: number;
  /** The link to the latest accepted reply. */
  readonly acceptedLink: string | undefined;
  fork(): void;
  onConfigure(): void;
}

/** The dialogue's title, who drafts in it, and what concerns the whole of it. */
export function DialogueHeader({ id, status, model, turns, acceptedLink, fork, onConfigure }: DialogueHeaderProps) {
  const row = useStore(threadRows)?.get(id);
  const isNarrow = useIsNarrow();
  const [isRenaming, setRenaming] = useState(false);
  const shownModel = status.model ?? model;
  const discuss = () => navigate(linkToConversation(id));
  return (
    <>
      <RoomHeader
        id={id}
        panelLabel="Thoughts"
        text={acceptedLink === undefined ? undefined : { link: acceptedLink }}
        facts={
          <p>
            With <Name id={status.self} />
            {shownModel && ` (${escapeBidi(shownModel)})`}
            {turns > 0 && ` · ${pluralize(turns, 'turn')}`}
            {row?.forked_from && (
              <>
                {' · '}forked from <ThreadLink id={row.forked_from.thread} title="another dialogue" />
              </>
            )}
          </p>
        }
        actions={
          <>
            {!isNarrow && (
              <>
                <Button kind="quiet" icon={MessagesSquare} onClick={discuss}>
                  Discuss
                </Button>
                <IconButton icon={Settings} label="Dialogue settings" onClick={onConfigure} />
              </>
            )}
            <Menu trigger={<IconButton icon={Ellipsis} label="More" />}>
              {isNarrow && (
                <>
                  <MenuItem icon={MessagesSquare} onSelect={discuss}>
                    Discuss
                  </MenuItem>
                  <MenuItem icon={Settings} onSelect={onConfigure}>
                    Dialogue settings
                  </MenuItem>
                  <MenuSeparator />
                </>
              )}
              <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
                Rename
              </MenuItem>
              <MenuItem icon={GitFork} onSelect={fork}>
                {forkLabel(status)}
              </MenuItem>
              <MenuItem icon={Download} onSelect={() => download(archivePath(id), archiveName(id))}>
                Download all drafts
              </MenuItem>
            </Menu>
          </>
        }
      />
      <Suspense fallback={<div data-modal="" />}>
        {isRenaming && row && <RenameDialog row={row} onClose={() => setRenaming(false)} />}
      </Suspense>
    </>
  );
}

export function forkLabel({ turn }: DialogueStatus): string {
  return turn ? 'Start another topic in a fork' : 'Fork';
}
