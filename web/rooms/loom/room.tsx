import './loom.css';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from '../../data/store.ts';
import { RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { useActions } from '../../shell/actions.ts';
import { visitCount } from '../../shell/address.ts';
import { SidePanel } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { RefusalMessage } from '../../ui/refusal.tsx';
import { createLoomActions, type LoomActions } from './actions.ts';
import { useAnnouncement } from './announcement.ts';
import { AuthorPopover } from './author-popover.tsx';
import { Dock } from './dock/dock.tsx';
import { TextField } from './editor/text-field.tsx';
import { dropTarget } from './files.ts';
import { LoomHeader } from './header.tsx';
import { ACTION_LABELS, type ActionName, bindingsOf, formatBinding } from './keymap.ts';
import { type OpenLoom, openLoom, showNode } from './loom.ts';
import { usePanelActions } from './panel/actions.ts';
import { Panel } from './panel/panel.tsx';
import { SideBySide } from './side-by-side.tsx';

interface LoomRoomProps {
  readonly id: string;
  readonly me: string;
  /** The node the address points at. */
  readonly at: string | undefined;
}

/** The room of one loom. */
export function LoomRoom({ id, me, at }: LoomRoomProps) {
  const loom = useOpenRoom(openLoom, id, me);
  return loom ? <LoadedRoom key={id} loom={loom} at={at} /> : <main aria-busy="true" />;
}

function LoadedRoom({ loom, at }: { readonly loom: OpenLoom; readonly at: string | undefined }) {
  const { phase, problem } = useStore(loom.replica.loadState);
  const [isReady, setReady] = useState(false);
  const actions = useMemo(() => createLoomActions(loom), [loom]);

  useEffect(() => {
    if (phase === 'ready') void loom.session.start().then(() => setReady(true));
  }, [phase, loom]);

  if (phase === 'missing') return <RoomNotFound kind="loom" problem={problem} />;
  if (!isReady) {
    return (
      <main className="room" aria-busy="true" aria-label="Loom">
        <RefusalMessage reason={problem} />
      </main>
    );
  }
  return <LoomLayout loom={loom} actions={actions} at={at} />;
}

function LoomLayout({ loom, actions, at }: { loom: OpenLoom; actions: LoomActions; at: string | undefined }) {
  const overlay = useStore(actions.overlay);
  const announcement = useAnnouncement(loom);
  const close = () => actions.overlay.set(undefined);
  const bindings = bindingsOf(useStore(loom.keySettings));
  useActions(
    'This loom',
    (Object.keys(ACTION_LABELS) as ActionName[]).map((name) => ({
      name: ACTION_LABELS[name].charAt(0).toUpperCase() + ACTION_LABELS[name].slice(1),
      keys: [formatBinding(bindings[name])],
      act: actions.actions[name],
      heard: 'elsewhere',
    })),
  );
  usePanelActions(loom);
  const visit = useStore(visitCount);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that names a node leads to it, each time
  useEffect(() => {
    if (at) void loom.session.goTo(at).then(() => showNode(loom, at));
  }, [at, loom, visit]);
  return (
    <>
      <main className="room loom" aria-label="Loom" {...dropTarget(loom)}>
        <LoomHeader loom={loom} />
        <TextField loom={loom} actions={actions} />
        <Dock loom={loom} actions={actions} />
        {overlay?.kind === 'who' && (
          <AuthorPopover key={overlay.at} loom={loom} at={overlay.at} isByKey={overlay.isByKey} onClose={close} />
        )}
        {overlay?.kind === 'sides' && <SideBySide loom={loom} node={overlay.node} onClose={close} />}
      </main>
      <SidePanel label="Loom">
        <Panel loom={loom} actions={actions} />
      </SidePanel>
      <Announcer text={announcement} />
    </>
  );
}
