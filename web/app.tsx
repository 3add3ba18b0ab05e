import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { WireCredential } from '../src/client/index.ts';
import { session } from './data/session.ts';
import { useStore } from './data/store.ts';
import { useAdoptedTexts } from './data/use-room.tsx';
import { closeWorkspace, openWorkspace, threadRows } from './data/workspace.ts';
import { ExplainHost } from './explain/host.tsx';
import { notifyOnDesktop } from './inbox/desktop-notifications.ts';
import { Home } from './inbox/home.tsx';
import { Palette } from './palette/palette.tsx';
import { OtherRoom } from './rooms/other/room.tsx';
import { ThreadRoom } from './rooms/threads/room.tsx';
import { roomFor } from './rooms.tsx';
import { listenForKeys } from './shell/actions.ts';
import { type ThreadAddress, useAddress } from './shell/address.ts';
import { activeSheet, ListButton, Sidebar } from './shell/frame.tsx';
import { type Overlay, useFrameActions } from './shell/frame-actions.ts';
import { KeyMap } from './shell/key-map.tsx';
import { useRoomLetters } from './shell/letter-keys.ts';
import { NewThreadSheet } from './shell/new-thread.tsx';
import { RenameSheet } from './shell/rename-thread.tsx';
import { SignIn, Unreachable } from './shell/sign-in.tsx';
import { StatusLine } from './shell/status-line.tsx';
import { ThreadList } from './shell/thread-list.tsx';
import { useTitle } from './shell/title.ts';
import { TourHost } from './tour/host.tsx';
import { beginTour } from './tour/tour.ts';
import { TransferHost } from './transfer/host.tsx';
import { ActionButton } from './ui/action-button.tsx';
import { lazyWithRetry } from './ui/lazy.ts';
import { Notice, runWithNotice } from './ui/notice.tsx';
import { escapeBidi } from './ui/text/escape-bidi.ts';

const Settings = lazyWithRetry(async () => (await import('./settings/settings.tsx')).Settings);

export function App() {
  const currentSession = useStore(session);
  if (currentSession.phase === 'asking') return <main aria-busy="true" />;
  if (currentSession.phase === 'unreachable') return <Unreachable />;
  if (currentSession.phase === 'out') return <SignIn command={currentSession.command} />;
  return <WorkspacePage me={currentSession.me} name={currentSession.workspace} />;
}

function WorkspacePage({ me, name }: { readonly me: WireCredential; readonly name: string }) {
  const address = useAddress();
  const [overlay, setOverlay] = useState<Overlay>();
  const threadId = address.room === 'thread' ? address.id : undefined;
  const roomName = address.room === 'thread' ? address.as : address.room;
  const openRow = useStore(threadRows)?.get(threadId ?? '');
  const openNewThread = (title = '') => setOverlay({ kind: 'new', title });
  const openPalette = (kind?: string) => setOverlay({ kind: 'find', of: kind });
  const closeOverlay = () => setOverlay(undefined);

  useEffect(() => {
    void openWorkspace();
    return closeWorkspace; // Signed out: stop listening.
  }, []);
  useEffect(notifyOnDesktop, []);
  useLayoutEffect(listenForKeys, []);
  useRoomLetters(threadId && `${roomName}/${threadId}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sheet is left behind where it was opened
  useEffect(() => activeSheet.set(undefined), [roomName, threadId]);
  useTitle(address.room, openRow);
  // The discussion of a dialogue, exchange or loom gets the actions of a conversation.
  useFrameActions(openRow && roomName === 'threads' ? { ...openRow, kind: 'conversation' } : openRow, setOverlay);

  return (
    <div className="frame">
      <Sidebar>
        <p className="name-of-all">
          <a href="/" data-in-page aria-current={address.room === 'home' ? 'page' : undefined}>
            Heddle
          </a>
        </p>
        <p className="ways">
          <ActionButton title="Ctrl K" onClick={() => openPalette()}>
            Search or run a command
          </ActionButton>
          <ActionButton title="n" onClick={() => openNewThread()}>
            New
          </ActionButton>
        </p>
        <ThreadList openId={threadId} onFind={openPalette} />
        <p className="left-foot">
          <a
            className="act"
            href="/settings"
            data-in-page
            aria-current={address.room === 'settings' ? 'page' : undefined}
          >
            Settings
          </a>
        </p>
      </Sidebar>
      <Suspense fallback={<main aria-busy="true" />}>
        {address.room === 'thread' && <OpenThread {...address} me={me.participant} onFind={() => openPalette()} />}
        {address.room === 'settings' && <Settings me={me} onKeys={() => setOverlay({ kind: 'keys' })} />}
      </Suspense>
      {address.room === 'home' && <Home onFind={openPalette} showSample={() => void runWithNotice(beginTour)} />}
      {address.room === 'nowhere' && <NotFoundPage onFind={() => openPalette()} />}
      <TourHost me={me.participant} isPaletteOpen={overlay?.kind === 'find'} />
      <Notice />
      <StatusLine me={me.participant} workspace={name} onKeys={() => setOverlay({ kind: 'keys' })} />
      {overlay?.kind === 'find' && (
        <Palette here={threadId} initialKind={overlay.of} onClose={closeOverlay} onNew={openNewThread} />
      )}
      {overlay?.kind === 'new' && <NewThreadSheet title={overlay.title} onClose={closeOverlay} />}
      {overlay?.kind === 'rename' && openRow && <RenameSheet row={openRow} onClose={closeOverlay} />}
      {overlay?.kind === 'keys' && <KeyMap onClose={closeOverlay} />}
      <ExplainHost />
      <TransferHost isInThread={threadId !== undefined} />
    </div>
  );
}

interface OpenThreadProps extends ThreadAddress {
  readonly me: string;
  onFind(): void;
}

/** The room of the address. What a thread's own room leaves out, its conversation, is at `/threads/`. */
function OpenThread({ as, id, me, at, onFind }: OpenThreadProps) {
  const rows = useStore(threadRows);
  const Room = roomFor(as);
  if (!useAdoptedTexts(id)) return <main aria-busy="true" />;
  if (Room) return <Room id={id} me={me} at={at} />;
  const row = rows?.get(id);
  if (as === 'threads') {
    const isDiscussion = row !== undefined && roomFor(row.kind) !== undefined;
    return <ThreadRoom id={id} me={me} at={at} isDiscussion={isDiscussion} />;
  }
  // A kind that this page has no room for, or no kind at all: only the list of threads can tell.
  if (row?.kind === as) return <OtherRoom row={row} me={me} at={at} />;
  return rows ? <NotFoundPage onFind={onFind} /> : <main aria-busy="true" />;
}

function NotFoundPage({ onFind }: { onFind(): void }) {
  return (
    <main className="plain nowhere">
      <ListButton />
      <h1>Nothing is at this address</h1>
      <p className="soft">
        <code dir="ltr">{escapeBidi(location.pathname)}</code>
      </p>
      <p>
        <a href="/" data-in-page>
          To the start
        </a>
        , or{' '}
        <button type="button" className="link" title="Ctrl K" onClick={onFind}>
          find what you look for
        </button>
        .
      </p>
    </main>
  );
}
