import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { WireCredential } from '../src/client/index.ts';
import { EVERYWHERE, hearKeys, useActions } from './actions.ts';
import { useAddress } from './address.ts';
import { tellOnDesktop } from './dialogue/desktop.ts';
import { Find } from './find.tsx';
import { Left, ListButton, sheet, togglePanel } from './frame.tsx';
import { Home } from './home.tsx';
import { KeyMap } from './key-map.tsx';
import { NewThread } from './new-thread.tsx';
import { session } from './session.ts';
import { Settings } from './settings.tsx';
import { SignIn, Unreachable } from './sign-in.tsx';
import { StatusLine } from './status-line.tsx';
import { useStore } from './store.ts';
import { visible } from './text/visible.ts';
import { ThreadList } from './threads/list.tsx';
import { ThreadRoom } from './threads/room.tsx';
import { attention, closeWorkspace, openWorkspace, rows, wantingYou } from './workspace.ts';

const DialogueRoom = lazy(async () => ({ default: (await import('./dialogue/room.tsx')).DialogueRoom }));
const ExchangeRoom = lazy(async () => ({ default: (await import('./exchange/room.tsx')).ExchangeRoom }));
const LoomRoom = lazy(async () => ({ default: (await import('./loom/room.tsx')).LoomRoom }));

export function App() {
  const now = useStore(session);
  if (now.phase === 'asking') return <main aria-busy="true" />;
  if (now.phase === 'unreachable') return <Unreachable />;
  if (now.phase === 'out') return <SignIn />;
  return <Workspace me={now.me} name={now.workspace} />;
}

type Over = { readonly kind: 'find' | 'keys' } | { readonly kind: 'new'; readonly title: string };

function Workspace({ me, name }: { readonly me: WireCredential; readonly name: string }) {
  const address = useAddress();
  const [over, setOver] = useState<Over>();
  const thread = 'id' in address ? address.id : undefined;
  const hasThreads = (useStore(rows)?.size ?? 0) > 0;
  const begin = (title = '') => setOver({ kind: 'new', title });
  const close = () => setOver(undefined);

  useEffect(() => {
    void openWorkspace();
    return closeWorkspace; // Signed out: nothing more is heard.
  }, []);
  useEffect(tellOnDesktop, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sheet is left behind where it was opened
  useEffect(() => sheet.set(undefined), [address.room, thread]);
  useTitle(address.room, thread);
  useLayoutEffect(hearKeys, []);
  useActions(EVERYWHERE, [
    { name: 'Find a thread', keys: ['Ctrl+k', '/'], act: () => setOver({ kind: 'find' }) },
    { name: 'New thread', keys: ['n'], act: () => begin() },
    { name: 'Show or fold the panel beside', keys: ['p'], act: togglePanel },
    { name: 'Leave what you are in; text is kept', keys: ['Escape'] },
    { name: 'This list', keys: ['?'], act: () => setOver({ kind: 'keys' }) },
  ]);

  return (
    <div className="frame">
      <Left>
        <p className="mark">
          <a href="/" data-in-page>
            Heddle
          </a>
        </p>
        <p className="ways">
          {hasThreads && (
            <button type="button" className="act" title="Ctrl K" onClick={() => setOver({ kind: 'find' })}>
              Find
            </button>
          )}
          <button type="button" className="act" title="n" onClick={() => begin()}>
            New thread
          </button>
        </p>
        <ThreadList open={thread} onFind={() => setOver({ kind: 'find' })} />
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
      </Suspense>
      {address.room === 'home' && <Home onNew={() => begin()} />}
      {address.room === 'settings' && <Settings me={me} />}
      {address.room === 'nowhere' && <Nowhere />}
      <StatusLine me={me.participant} workspace={name} onKeys={() => setOver({ kind: 'keys' })} />
      {over?.kind === 'find' && <Find onClose={close} onNew={begin} />}
      {over?.kind === 'new' && <NewThread title={over.title} onClose={close} />}
      {over?.kind === 'keys' && <KeyMap onClose={close} />}
    </div>
  );
}

function Nowhere() {
  return (
    <main className="plain">
      <ListButton />
      <h1>Nothing is at this address</h1>
      <p>
        <a href="/" data-in-page>
          To the start
        </a>
      </p>
    </main>
  );
}

const ATTENTION: Readonly<Record<string, string>> = { needs_you: 'Needs you: ', publishable: 'Could be sent: ' };

/** The tab says in how many threads something is new or somebody is wanted, and what the mind of an open one wants. */
function useTitle(room: string, thread: string | undefined): void {
  const all = useStore(rows);
  const { title, about } = all?.get(thread ?? '') ?? {};
  const wants = ATTENTION[(about as { attention?: string } | undefined)?.attention ?? ''] ?? '';
  const news = useStore(attention);
  const fresh = new Set([...news.keys(), ...(all ? wantingYou(all).map(({ row }) => row.id) : [])]).size;
  useEffect(() => {
    const here = title ? `${wants}${visible(title)} · Heddle` : room === 'settings' ? 'Settings · Heddle' : 'Heddle';
    document.title = fresh > 0 ? `(${fresh}) ${here}` : here;
    document.querySelector('link[rel=icon]')?.setAttribute('href', fresh > 0 ? '/icon-wanted.svg' : '/icon.svg');
    void navigator.setAppBadge?.(fresh).catch(() => {}); // Only an installed page has one.
  }, [title, wants, fresh, room]);
}
