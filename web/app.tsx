import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { WireCredential } from '../src/client/index.ts';
import { session } from './data/session.ts';
import { useStore } from './data/store.ts';
import { closeWorkspace, openWorkspace, threadRows } from './data/workspace.ts';
import { ExplainHost } from './explain/host.tsx';
import { notifyOnDesktop } from './inbox/desktop-notifications.ts';
import { Home } from './inbox/home.tsx';
import { Palette } from './palette/palette.tsx';
import { ThreadRoom } from './rooms/threads/room.tsx';
import { listenForKeys } from './shell/actions.ts';
import { useAddress } from './shell/address.ts';
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
import type { ThreadKind } from './ui/kinds.ts';
import { lazyWithRetry } from './ui/lazy.ts';
import { Notice, runWithNotice } from './ui/notice.tsx';
import { escapeBidi } from './ui/text/escape-bidi.ts';

const DialogueRoom = lazyWithRetry(async () => (await import('./rooms/dialogue/room.tsx')).DialogueRoom);
const ExchangeRoom = lazyWithRetry(async () => (await import('./rooms/exchange/room.tsx')).ExchangeRoom);
const Settings = lazyWithRetry(async () => (await import('./settings/settings.tsx')).Settings);
const LoomRoom = lazyWithRetry(async () => (await import('./rooms/loom/room.tsx')).LoomRoom);

export function App() {
  const currentSession = useStore(session);
  if (currentSession.phase === 'asking') return <main aria-busy="true" />;
  if (currentSession.phase === 'unreachable') return <Unreachable />;
  if (currentSession.phase === 'out') return <SignIn />;
  return <WorkspacePage me={currentSession.me} name={currentSession.workspace} />;
}

function WorkspacePage({ me, name }: { readonly me: WireCredential; readonly name: string }) {
  const address = useAddress();
  const [overlay, setOverlay] = useState<Overlay>();
  const threadId = 'id' in address ? address.id : undefined;
  const openRow = useStore(threadRows)?.get(threadId ?? '');
  const openNewThread = (title = '') => setOverlay({ kind: 'new', title });
  const openPalette = (kind?: ThreadKind) => setOverlay({ kind: 'find', of: kind });
  const closeOverlay = () => setOverlay(undefined);

  useEffect(() => {
    void openWorkspace();
    return closeWorkspace; // Signed out: stop listening.
  }, []);
  useEffect(notifyOnDesktop, []);
  useLayoutEffect(listenForKeys, []);
  useRoomLetters(threadId && `${address.room}/${threadId}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sheet is left behind where it was opened
  useEffect(() => activeSheet.set(undefined), [address.room, threadId]);
  useTitle(address.room, openRow);
  // The discussion of a dialogue, exchange or loom gets the actions of a conversation.
  useFrameActions(openRow && address.room === 'threads' ? { ...openRow, kind: 'conversation' } : openRow, setOverlay);

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
            Find or do
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
      {address.room === 'threads' && <ThreadRoom id={address.id} me={me.participant} event={address.event} />}
      <Suspense fallback={<main aria-busy="true" />}>
        {address.room === 'dialogue' && <DialogueRoom id={address.id} me={me.participant} at={address.at} />}
        {address.room === 'exchange' && <ExchangeRoom id={address.id} me={me.participant} at={address.at} />}
        {address.room === 'loom' && <LoomRoom id={address.id} me={me.participant} at={address.at} />}
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
