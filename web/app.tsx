import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { WireCredential } from '../src/client/index.ts';
import { session } from './data/session.ts';
import { useStore } from './data/store.ts';
import { closeWorkspace, openWorkspace, rows } from './data/workspace.ts';
import { ExplainHost } from './explain/host.tsx';
import { tellOnDesktop } from './inbox/desktop-notifications.ts';
import { Home } from './inbox/home.tsx';
import { Palette } from './palette/palette.tsx';
import { ThreadRoom } from './rooms/threads/room.tsx';
import { hearKeys } from './shell/actions.ts';
import { useAddress } from './shell/address.ts';
import { Left, ListButton, sheet } from './shell/frame.tsx';
import { type Over, useFrameActions } from './shell/frame-actions.ts';
import { KeyMap } from './shell/key-map.tsx';
import { useLettersOf } from './shell/letter-keys.ts';
import { NewThread } from './shell/new-thread.tsx';
import { Rename } from './shell/rename-thread.tsx';
import { SignIn, Unreachable } from './shell/sign-in.tsx';
import { StatusLine } from './shell/status-line.tsx';
import { List } from './shell/thread-list.tsx';
import { useTitle } from './shell/title.ts';
import { TourHost } from './tour/host.tsx';
import { beginTour } from './tour/tour.ts';
import { BetweenHost } from './transfer/host.tsx';
import type { Kind } from './ui/kinds.ts';
import { lazily } from './ui/lazy.ts';
import { doing, Notice } from './ui/notice.tsx';
import { visible } from './ui/text/visible.ts';

const DialogueRoom = lazily(async () => (await import('./rooms/dialogue/room.tsx')).DialogueRoom);
const ExchangeRoom = lazily(async () => (await import('./rooms/exchange/room.tsx')).ExchangeRoom);
const Settings = lazily(async () => (await import('./settings/settings.tsx')).Settings);
const LoomRoom = lazily(async () => (await import('./rooms/loom/room.tsx')).LoomRoom);

export function App() {
  const now = useStore(session);
  if (now.phase === 'asking') return <main aria-busy="true" />;
  if (now.phase === 'unreachable') return <Unreachable />;
  if (now.phase === 'out') return <SignIn />;
  return <Workspace me={now.me} name={now.workspace} />;
}

function Workspace({ me, name }: { readonly me: WireCredential; readonly name: string }) {
  const address = useAddress();
  const [over, setOver] = useState<Over>();
  const thread = 'id' in address ? address.id : undefined;
  const open = useStore(rows)?.get(thread ?? '');
  const begin = (title = '') => setOver({ kind: 'new', title });
  const find = (of?: Kind) => setOver({ kind: 'find', of });
  const close = () => setOver(undefined);

  useEffect(() => {
    void openWorkspace();
    return closeWorkspace; // Signed out: nothing more is heard.
  }, []);
  useEffect(tellOnDesktop, []);
  useLayoutEffect(hearKeys, []);
  useLettersOf(thread && `${address.room}/${thread}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sheet is left behind where it was opened
  useEffect(() => sheet.set(undefined), [address.room, thread]);
  useTitle(address.room, open);
  // What is said beside the work of another kind of thread is looked at as a conversation.
  useFrameActions(open && address.room === 'threads' ? { ...open, kind: 'conversation' } : open, setOver);

  return (
    <div className="frame">
      <Left>
        <p className="name-of-all">
          <a href="/" data-in-page aria-current={address.room === 'home' ? 'page' : undefined}>
            Heddle
          </a>
        </p>
        <p className="ways">
          <button type="button" className="act" title="Ctrl K" onClick={() => find()}>
            Find or do
          </button>
          <button type="button" className="act" title="n" onClick={() => begin()}>
            New
          </button>
        </p>
        <List open={thread} onFind={find} />
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
      </Left>
      {address.room === 'threads' && <ThreadRoom id={address.id} me={me.participant} event={address.event} />}
      <Suspense fallback={<main aria-busy="true" />}>
        {address.room === 'dialogue' && <DialogueRoom id={address.id} me={me.participant} at={address.at} />}
        {address.room === 'exchange' && <ExchangeRoom id={address.id} me={me.participant} at={address.at} />}
        {address.room === 'loom' && <LoomRoom id={address.id} me={me.participant} at={address.at} />}
        {address.room === 'settings' && <Settings me={me} onKeys={() => setOver({ kind: 'keys' })} />}
      </Suspense>
      {address.room === 'home' && <Home onFind={find} showSample={() => void doing(beginTour)} />}
      {address.room === 'nowhere' && <Nowhere onFind={() => find()} />}
      <TourHost me={me.participant} finding={over?.kind === 'find'} />
      <Notice />
      <StatusLine me={me.participant} workspace={name} onKeys={() => setOver({ kind: 'keys' })} />
      {over?.kind === 'find' && <Palette here={thread} of={over.of} onClose={close} onNew={begin} />}
      {over?.kind === 'new' && <NewThread title={over.title} onClose={close} />}
      {over?.kind === 'rename' && open && <Rename row={open} onClose={close} />}
      {over?.kind === 'keys' && <KeyMap onClose={close} />}
      <ExplainHost />
      <BetweenHost isInThread={thread !== undefined} />
    </div>
  );
}

function Nowhere({ onFind }: { onFind(): void }) {
  return (
    <main className="plain nowhere">
      <ListButton />
      <h1>Nothing is at this address</h1>
      <p className="soft">
        <code dir="ltr">{visible(location.pathname)}</code>
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
