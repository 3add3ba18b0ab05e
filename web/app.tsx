import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { WireCredential } from '../src/client/index.ts';
import { PeopleProvider } from './data/people.tsx';
import { followOwner, session } from './data/session.ts';
import { useStore } from './data/store.ts';
import { ThreadPeople } from './data/thread-people.tsx';
import { useAdoptedTexts } from './data/use-room.tsx';
import { closeWorkspace, kindCounts, openWorkspace, threadRows } from './data/workspace.ts';
import { ExplainHost } from './explain/host.tsx';
import { notifyOnDesktop } from './inbox/desktop-notifications.ts';
import { Inbox } from './inbox/inbox.tsx';
import { ListPage } from './inbox/list-page.tsx';
import { loadPalette, PaletteHost } from './palette/host.tsx';
import { onSearchHere } from './palette/search-here.ts';
import { OtherRoom } from './rooms/other/room.tsx';
import { sendFromClosedThreads } from './rooms/threads/data/outbox.ts';
import { loadThreadRoom, roomFor, ThreadRoom } from './rooms.tsx';
import { listenForKeys } from './shell/actions.ts';
import { type ThreadAddress, useAddress, visitCount } from './shell/address.ts';
import { BottomBar } from './shell/bottom-bar.tsx';
import { ConnectionStatus } from './shell/connection-status.tsx';
import { activeSheet } from './shell/frame.tsx';
import { type Overlay, useFrameActions } from './shell/frame-actions.ts';
import { useRoomLetters } from './shell/letter-keys.ts';
import { NotFoundPage } from './shell/not-found.tsx';
import { Overlays } from './shell/overlays.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { SignIn, Unreachable } from './shell/sign-in.tsx';
import { useTitle } from './shell/title.ts';
import { TourHost } from './tour/host.tsx';
import { beginTour } from './tour/tour.ts';
import { TransferHost } from './transfer/host.tsx';
import { KINDS } from './ui/kinds.ts';
import { lazyWithRetry } from './ui/lazy.ts';
import { loadAhead } from './ui/load-ahead.ts';
import { Notice, runWithNotice } from './ui/notice.tsx';

const Settings = lazyWithRetry(async () => {
  const [{ Settings }, { loadSelect }] = await Promise.all([
    import('./settings/settings.tsx'),
    import('./ui/controls/select.tsx'),
  ]);
  await loadSelect();
  return Settings;
});

export function App() {
  const currentSession = useStore(session);
  if (currentSession.phase === 'asking') return <main aria-busy="true" />;
  if (currentSession.phase === 'unreachable') return <Unreachable />;
  if (currentSession.phase === 'out') return <SignIn command={currentSession.command} />;
  return (
    <PeopleProvider>
      <WorkspacePage
        me={currentSession.me}
        name={currentSession.workspace}
        isKept={currentSession.keptAt !== undefined}
      />
    </PeopleProvider>
  );
}

interface WorkspacePageProps {
  readonly me: WireCredential;
  readonly name: string;
  /** The server has not answered yet. */
  readonly isKept: boolean;
}

function WorkspacePage({ me, name, isKept }: WorkspacePageProps) {
  const address = useAddress();
  const visits = useStore(visitCount);
  const [overlay, setOverlay] = useState<Overlay>();
  const threadId = address.room === 'thread' ? address.id : undefined;
  const roomName = address.room === 'thread' ? address.as : address.room;
  const openRow = useStore(threadRows)?.get(threadId ?? '');
  const show = (next: Overlay) => {
    activeSheet.set(undefined); // The menu of a phone was the way here.
    setOverlay(next);
  };
  const openNewThread = (title = '', of?: string) => show({ kind: 'new', title, of });
  const openPalette = () => show({ kind: 'find' });
  const closeOverlay = () => setOverlay(undefined);

  useEffect(() => {
    if (isKept) return;
    void openWorkspace();
    return closeWorkspace; // Signed out: stop listening.
  }, [isKept]);
  useEffect(() => sendFromClosedThreads(me.participant), [me.participant]);
  useEffect(followOwner, []);
  useEffect(notifyOnDesktop, []);
  useEffect(() => loadAhead(loadPalette), []);
  useEffect(() => loadAhead(loadThreadRoom), []);
  useEffect(() => onSearchHere(() => setOverlay({ kind: 'find', isHere: true })), []);
  useLayoutEffect(listenForKeys, []);
  useRoomLetters(threadId && `${roomName}/${threadId}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sheet is left behind where it was opened
  useEffect(() => activeSheet.set(undefined), [roomName, threadId, visits]);
  useTitle(address, openRow);
  // The discussion of a dialogue, exchange or loom gets the actions of a conversation.
  useFrameActions(
    openRow && roomName === 'threads' ? { ...openRow, kind: 'conversation' } : openRow,
    address,
    setOverlay,
  );

  return (
    <div className="frame">
      <Sidebar
        workspace={name}
        me={me.participant}
        address={address}
        onFind={openPalette}
        onNew={() => openNewThread()}
      />
      <ConnectionStatus />
      <Suspense fallback={<main aria-busy="true" />}>
        {address.room === 'thread' && (
          <ThreadPeople thread={address.id}>
            <OpenThread {...address} me={me.participant} onFind={openPalette} />
          </ThreadPeople>
        )}
        {address.room === 'settings' && <Settings me={me} onKeys={() => setOverlay({ kind: 'keys' })} />}
      </Suspense>
      {address.room === 'home' && (
        <Inbox me={me.participant} workspace={name} showSample={() => void runWithNotice(beginTour)} />
      )}
      {address.room === 'list' && (
        <OpenList
          key={address.kind}
          kind={address.kind}
          onFind={openPalette}
          onNew={(kind) => openNewThread('', kind)}
        />
      )}
      {address.room === 'nowhere' && <NotFoundPage onFind={openPalette} />}
      <TourHost me={me.participant} isPaletteOpen={overlay?.kind === 'find'} />
      <BottomBar address={address} onFind={openPalette} onNew={() => openNewThread()} />
      <Notice />
      {overlay?.kind === 'find' && (
        <PaletteHost
          here={threadId}
          initialKind={overlay.of}
          isHere={overlay.isHere ?? false}
          onClose={closeOverlay}
          onNew={openNewThread}
        />
      )}
      <Overlays overlay={overlay} openRow={openRow} onClose={closeOverlay} />
      <ExplainHost />
      <TransferHost isInThread={threadId !== undefined} />
    </div>
  );
}

interface OpenListProps {
  readonly kind: string | undefined;
  onFind(): void;
  onNew(kind: string | undefined): void;
}

/** The list of a kind that this page knows, or that there are threads of. */
function OpenList({ kind, onFind, onNew }: OpenListProps) {
  const counts = useStore(kindCounts);
  const isKnown = kind === undefined || counts.has(kind) || KINDS.some((each) => each.kind === kind);
  if (isKnown) return <ListPage kind={kind} onNew={onNew} />;
  return counts.size > 0 ? <NotFoundPage onFind={onFind} /> : <main aria-busy="true" />;
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
