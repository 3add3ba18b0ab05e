import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from '../../data/store.ts';
import { RoomLoading, RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { useActions } from '../../shell/actions.ts';
import { visitCount } from '../../shell/address.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { type KnownPerson, People } from '../../ui/people/people.ts';
import { RefusalMessage } from '../../ui/refusal.tsx';
import { createLoomActions, type LoomActions } from './actions.ts';
import { useAnnouncement } from './announcement.ts';
import { AuthorPopover } from './author-popover.tsx';
import { AuthorsLegend } from './authors-legend.tsx';
import { Dock } from './bar/dock.tsx';
import { ShelfPlace } from './bar/notes.tsx';
import { TextField } from './editor/text-field.tsx';
import { dropTarget } from './files.ts';
import { LoomHeader } from './header.tsx';
import { ACTION_LABELS, type ActionName, bindingsOf, formatBinding } from './keymap.ts';
import { type OpenLoom, openLoom, showNode } from './loom.ts';
import { usePanelActions } from './panel/actions.ts';
import { Panel } from './panel/panel.tsx';
import styles from './room.module.css';
import { modelId } from './session/authors.ts';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { SideBySide } from './side-by-side.tsx';
import { MapDialog } from './tree/map-dialog.tsx';

interface LoomRoomProps {
  readonly id: string;
  readonly me: string;
  /** The node the address points at. */
  readonly at: string | undefined;
}

/** The room of one loom. */
export function LoomRoom({ id, me, at }: LoomRoomProps) {
  const [opening, setOpening] = useState(0);
  const loom = useOpenRoom(openLoom, id, me, opening);
  const reopen = useCallback(() => setOpening((count) => count + 1), []);
  return loom ? <LoadedRoom key={`${id} ${opening}`} loom={loom} at={at} onLive={reopen} /> : <main aria-busy="true" />;
}

interface LoadedRoomProps {
  readonly loom: OpenLoom;
  readonly at: string | undefined;
  /** The server is back, and a loom that could only be read can be written in. */
  onLive(): void;
}

function LoadedRoom({ loom, at, onLive }: LoadedRoomProps) {
  const { phase, problem, keptAt, isOutOfReach } = useStore(loom.replica.loadState);
  const [isReady, setReady] = useState(false);
  const actions = useMemo(() => createLoomActions(loom), [loom]);

  useEffect(() => {
    if (phase !== 'ready') return;
    const isKept = loom.replica.loadState.get().keptAt !== undefined;
    void loom.session.start(isKept).then(() => {
      loom.shelf.openAtEnd();
      setReady(true);
    });
  }, [phase, loom]);
  const wasKept = useRef(false);
  useEffect(() => {
    if (wasKept.current && keptAt === undefined) onLive();
    wasKept.current = keptAt !== undefined;
  }, [keptAt, onLive]);

  if (phase === 'missing') return <RoomNotFound kind="loom" problem={problem} />;
  if (isOutOfReach && phase === 'loading') return <RoomLoading isOutOfReach />;
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
  const announcement = useAnnouncement(loom);
  const view = useStore(loom.view);
  const visit = useStore(visitCount);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that names a node leads to it, each time
  useEffect(() => {
    if (at) void loom.session.goTo(at).then(() => showNode(loom, at));
  }, [at, loom, visit]);
  return (
    <People value={useLoomPeople(loom)}>
      <LoomKeys loom={loom} actions={actions} />
      <main className={`room ${styles.room}`} aria-label="Loom" {...dropTarget(loom)}>
        <LoomHeader loom={loom} actions={actions} />
        <TextField
          loom={loom}
          actions={actions}
          before={view === 'authors' && <AuthorsLegend loom={loom} />}
          after={<ShelfPlace loom={loom} actions={actions} />}
        />
        <Dock loom={loom} actions={actions} />
        <Overlay loom={loom} actions={actions} />
      </main>
      <Panel loom={loom} actions={actions} />
      <Announcer text={announcement} />
    </People>
  );
}

function Overlay({ loom, actions }: { loom: OpenLoom; actions: LoomActions }) {
  const overlay = useStore(actions.overlay);
  const close = () => actions.overlay.set(undefined);
  switch (overlay?.kind) {
    case 'who':
      return <AuthorPopover key={overlay.at} loom={loom} at={overlay.at} isByKey={overlay.isByKey} onClose={close} />;
    case 'sides':
      return <SideBySide loom={loom} node={overlay.node} onClose={close} />;
    case 'map':
      return <MapDialog loom={loom} onClose={close} />;
    case 'settings':
      return <SettingsDialog loom={loom} tab={overlay.tab} onClose={close} />;
    default:
      return null;
  }
}

/** A part of its own: what can be done changes with each word that a model writes, and the room does not. */
function LoomKeys({ loom, actions }: { loom: OpenLoom; actions: LoomActions }): null {
  useLoomActions(loom, actions);
  usePanelActions(loom, actions);
  return null;
}

/** The keys of the text, and numbers for the shelf where no text is written. */
function useLoomActions(loom: OpenLoom, actions: LoomActions): void {
  const bindings = bindingsOf(useStore(loom.keySettings));
  const shelf = useStore(loom.shelf.state);
  useActions('This loom', [
    ...(Object.keys(ACTION_LABELS) as ActionName[]).map((name) => ({
      name: ACTION_LABELS[name].charAt(0).toUpperCase() + ACTION_LABELS[name].slice(1),
      keys: [formatBinding(bindings[name])],
      act: actions.actions[name],
      heard: 'elsewhere' as const,
    })),
    ...(shelf?.all ?? []).slice(0, 9).map((_, index) => ({
      name: `Choose ${shelf?.kind === 'version' ? 'version' : 'continuation'} ${index + 1}`,
      keys: [String(index + 1)],
      act: () => actions.chooseNumber(index + 1),
    })),
  ]);
}

/** Models are known by what they wrote here and by the list of models. */
function useLoomPeople(loom: OpenLoom): (id: string) => KnownPerson | undefined {
  const known = useContext(People);
  const models = useStore(loom.models);
  return useMemo(() => {
    const modelIds = new Set(models.map(({ name }) => modelId(name)));
    return (id) =>
      known(id) ?? (loom.authors.isModel(id) || modelIds.has(id) ? { name: id, kind: 'model' } : undefined);
  }, [known, models, loom]);
}
