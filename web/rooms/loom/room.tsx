import './loom.css';
import { useEffect, useMemo, useState } from 'react';
import { NotThere, useOpen } from '../../data/room-loader.tsx';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { visits } from '../../shell/address.ts';
import { Beside } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { Refused } from '../../ui/request.tsx';
import { createActions, type LoomActions } from './actions.ts';
import { useNews } from './announcement.ts';
import { Who } from './author-popover.tsx';
import { Dock } from './dock/dock.tsx';
import { TextField } from './editor/text-field.tsx';
import { dropTarget } from './files.ts';
import { Head } from './head.tsx';
import { type ActionName, bindingsOf, DOES, readable } from './keymap.ts';
import { type Loom, openLoom, showNode } from './loom.ts';
import { usePanelActions } from './panel/actions.ts';
import { Panel } from './panel/panel.tsx';
import { Sides } from './side-by-side.tsx';

interface RoomProps {
  readonly id: string;
  readonly me: string;
  /** The node the address points at. */
  readonly at: string | undefined;
}

/** The room of one loom. */
export function LoomRoom({ id, me, at }: RoomProps) {
  const loom = useOpen(openLoom, id, me);
  return loom ? <OpenRoom key={id} loom={loom} at={at} /> : <main aria-busy="true" />;
}

function OpenRoom({ loom, at }: { readonly loom: Loom; readonly at: string | undefined }) {
  const { phase, problem } = useStore(loom.replica.reading);
  const [isReady, setReady] = useState(false);
  const actions = useMemo(() => createActions(loom), [loom]);

  useEffect(() => {
    if (phase === 'ready') void loom.desk.begin().then(() => setReady(true));
  }, [phase, loom]);

  if (phase === 'missing') return <NotThere what="loom" problem={problem} />;
  if (!isReady) {
    return (
      <main className="room" aria-busy="true" aria-label="Loom">
        <Refused because={problem} />
      </main>
    );
  }
  return <Open loom={loom} actions={actions} at={at} />;
}

function Open({ loom, actions, at }: { loom: Loom; actions: LoomActions; at: string | undefined }) {
  const over = useStore(actions.over);
  const news = useNews(loom);
  const close = () => actions.over.set(undefined);
  const bindings = bindingsOf(useStore(loom.keys));
  useActions(
    'This loom',
    (Object.keys(DOES) as ActionName[]).map((name) => ({
      name: DOES[name].charAt(0).toUpperCase() + DOES[name].slice(1),
      keys: [readable(bindings[name])],
      act: actions.actions[name],
      heard: 'elsewhere',
    })),
  );
  usePanelActions(loom);
  const visit = useStore(visits);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that names a node leads to it, each time
  useEffect(() => {
    if (at) void loom.desk.goTo(at).then(() => showNode(loom, at));
  }, [at, loom, visit]);
  return (
    <>
      <main className="room loom" aria-label="Loom" {...dropTarget(loom)}>
        <Head loom={loom} />
        <TextField loom={loom} actions={actions} />
        <Dock loom={loom} actions={actions} />
        {over?.kind === 'who' && <Who key={over.at} loom={loom} at={over.at} isByKey={over.isByKey} onClose={close} />}
        {over?.kind === 'sides' && <Sides loom={loom} node={over.node} onClose={close} />}
      </main>
      <Beside label="Loom">
        <Panel loom={loom} actions={actions} />
      </Beside>
      <Announcer text={news} />
    </>
  );
}
