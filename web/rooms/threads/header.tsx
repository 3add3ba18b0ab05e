import {
  CircleCheck,
  Ellipsis,
  GitFork,
  History,
  MessagesSquare,
  Pause,
  Pencil,
  Play,
  Search,
  Settings,
} from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { WireThreadState } from '../../../src/client/index.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { searchHere } from '../../palette/search-here.ts';
import { threadPath } from '../../shell/address.ts';
import { RenameForm } from '../../shell/rename-thread.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { kindName } from '../../ui/kinds.ts';
import { Face } from '../../ui/people/participant.tsx';
import { useIsNarrow, useIsWide } from '../../ui/sheet.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { RoomHeader } from '../room-header.tsx';
import { ListingItems, TagsDialog } from '../thread-menu.tsx';
import type { OpenThread } from './data/thread.ts';
import type { ThreadDialog } from './dialogs/open-dialog.ts';
import styles from './header.module.css';
import { splitParticipants } from './panel/control-actions.ts';

interface ThreadHeaderProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
  readonly isRenaming: boolean;
  onRename(): void;
  onRenamed(): void;
  onDialog(dialog: ThreadDialog): void;
  onPost(control: Control): void;
  onFork(): void;
}

const MAX_FACES = 5;

/** The thread's title, its facts, who is in it and what can be done with it. */
export function ThreadHeader({ thread, state, isRenaming, onRenamed, ...actions }: ThreadHeaderProps) {
  const row = useStore(threadRows)?.get(thread.id);
  const deadline = useStore(thread.deadline);
  const title = state?.title ?? row?.title ?? '';
  return (
    <RoomHeader
      id={thread.id}
      panelLabel="People"
      title={
        isRenaming ? (
          <RenameForm thread={{ id: thread.id, title }} isInPlace onDone={onRenamed} />
        ) : (
          <h1 dir="auto" title={escapeBidi(title)}>
            {escapeBidi(title)}
          </h1>
        )
      }
      facts={
        <>
          {row && row.kind !== 'conversation' && (
            <p>
              Discussion of{' '}
              <a href={threadPath(row)} data-in-page>
                the {kindName(row.kind)}
              </a>
              {' · '}
            </p>
          )}
          {state && <ThreadFacts state={state} deadline={deadline} />}
        </>
      }
      actions={state && <HeaderActions state={state} me={thread.me} {...actions} />}
    />
  );
}

type HeaderActionsProps = Omit<ThreadHeaderProps, 'thread' | 'state' | 'isRenaming' | 'onRenamed'> & {
  readonly state: WireThreadState;
  readonly me: string;
};

function HeaderActions({ state, me, onRename, onDialog, onPost, onFork }: HeaderActionsProps) {
  const row = useStore(threadRows)?.get(state.id);
  const [hasTagsOpen, setTagsOpen] = useState(false);
  const isNarrow = useIsNarrow();
  const isWide = useIsWide();
  const settings = () => onDialog({ kind: 'settings' });
  const catchUp = () => onDialog({ kind: 'catch-up' });
  return (
    <>
      {isWide && <Faces state={state} me={me} />}
      {!isNarrow && (
        <>
          {state.messages > 0 && (
            <Button kind="quiet" icon={History} onClick={catchUp}>
              Catch me up
            </Button>
          )}
          <IconButton icon={Search} label="Search in this thread" onClick={searchHere} />
          <IconButton icon={Settings} label="Thread settings" onClick={settings} />
        </>
      )}
      <Menu trigger={<IconButton icon={Ellipsis} label="More" />}>
        {isNarrow && (
          <>
            <MenuItem icon={History} onSelect={catchUp}>
              Catch me up
            </MenuItem>
            <MenuItem icon={Search} onSelect={searchHere}>
              Search in this thread
            </MenuItem>
            <MenuItem icon={Settings} onSelect={settings}>
              Thread settings
            </MenuItem>
          </>
        )}
        <MenuItem icon={Pencil} onSelect={onRename}>
          Rename
        </MenuItem>
        <MenuItem icon={state.paused ? Play : Pause} onSelect={() => onPost({ pause: { on: !state.paused } })}>
          {state.paused ? 'Resume agents' : 'Pause agents'}
        </MenuItem>
        {!state.done && (
          <MenuItem icon={CircleCheck} onSelect={() => onPost({ done: true })}>
            Mark done
          </MenuItem>
        )}
        <MenuSeparator />
        {row && <ListingItems row={row} onTags={() => setTagsOpen(true)} />}
        <MenuSeparator />
        <MenuItem icon={GitFork} onSelect={onFork}>
          Fork
        </MenuItem>
        <MenuItem icon={MessagesSquare} onSelect={() => onDialog({ kind: 'side' })}>
          Open a side channel
        </MenuItem>
        {state.side && !state.side.closed && (
          <MenuItem icon={CircleCheck} onSelect={() => onDialog({ kind: 'close-side' })}>
            Close the side channel
          </MenuItem>
        )}
      </Menu>
      {hasTagsOpen && row && (
        <Suspense>
          <TagsDialog row={row} onClose={() => setTagsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const NOBODY_ELSE = new Map<string, never>();

function Faces({ state, me }: { readonly state: WireThreadState; readonly me: string }) {
  const { members } = splitParticipants(state, NOBODY_ELSE, me);
  const more = members.length - MAX_FACES;
  return (
    <span className={styles.faces} aria-hidden="true">
      {members.slice(0, MAX_FACES).map(({ id }) => (
        <Face key={id} id={id} size="medium" />
      ))}
      {more > 0 && <span>+{more}</span>}
    </span>
  );
}

function ThreadFacts({ state, deadline }: { readonly state: WireThreadState; readonly deadline: number | undefined }) {
  const count = state.participants.length;
  const facts = [
    count <= 1 ? 'Only you so far' : `${count} participants`,
    state.paused && 'paused: agents may not write',
    state.done && (state.side?.closed ? 'closed' : 'done: agents are not woken until a person writes'),
    useTimeLeft(deadline),
  ].filter(Boolean);
  return (
    <p className="standing" dir="auto">
      {state.side && (
        <>
          Side channel of <ThreadLink id={state.side.thread} title="its parent" />
          {state.side.question !== state.title && `: ${escapeBidi(state.side.question)}`}
          {' · '}
        </>
      )}
      {state.forked_from && (
        <>
          Forked from <ThreadLink id={state.forked_from.thread} title="another thread" />
          {' · '}
        </>
      )}
      {facts.join(' · ')}
    </p>
  );
}

/** How long agents may still go on without a human's message, updated every second. */
function useTimeLeft(deadline: number | undefined): string | undefined {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (deadline === undefined || deadline < Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [deadline]);
  if (deadline === undefined) return undefined;
  const seconds = Math.ceil((deadline - now) / 1000);
  if (seconds <= 0) return 'agents wait for a person';
  const remaining =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.ceil(seconds / 60)} min`
        : `${Math.ceil(seconds / 3600)} h`;
  return `agents may continue for ${remaining}`;
}
