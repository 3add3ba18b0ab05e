import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { placeOf } from '../../../src/protocol/cursor.ts';
import { NotThere, useOpen } from '../../data/room-loader.tsx';
import { useStore } from '../../data/store.ts';
import { addRow, looked } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { go, pathTo } from '../../shell/address.ts';
import { Beside, showPanel } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { download } from '../../ui/files.ts';
import { Refused, useWish } from '../../ui/request.tsx';
import { Composer } from './composer.tsx';
import { ConfigSheet } from './config-sheet.tsx';
import { isWorthTelling, WhileAway } from './drafts/away-summary.tsx';
import { Drafts, type Touched } from './drafts/draft-list.tsx';
import { useEngagement } from './engagement.ts';
import { Head } from './header.tsx';
import { History } from './history.tsx';
import { openTalk, type Talk } from './live-dialogue.ts';
import { Message } from './message.tsx';
import { Panel } from './panel/panel.tsx';
import { archiveName, archivePath, type Draft } from './queries.ts';
import { RunLine } from './run-bar.tsx';
import '../pool/room.css';
import './dialogue.css';
import './panel/panel.css';
import './drafts/signals.css';

interface RoomProps {
  readonly id: string;
  readonly me: string;
  /** The draft the address points at, as `turn.index`. */
  readonly at: string | undefined;
}

/** The room of one dialogue. */
export function DialogueRoom({ id, me, at }: RoomProps) {
  const talk = useOpen(openTalk, id, me);
  return talk ? <OpenRoom key={id} talk={talk} at={at} /> : <main aria-busy="true" />;
}

function OpenRoom({ talk, at }: { readonly talk: Talk; readonly at: string | undefined }) {
  const { phase, problem } = useStore(talk.opened);
  const status = useStore(talk.status);
  const away = useStore(talk.away);
  const [touched, setTouched] = useState<Touched>();
  const [isConfiguring, setConfiguring] = useState(false);
  const [said, setSaid] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { wish, refusal } = useWish();
  const turn = status?.turn;
  const [last] = useStore(talk.history).pairs;
  const accepted = last && pathTo({ id: talk.id, kind: 'dialogue' }, `${last.turn}.${last.accepted_draft_index}`);
  useEngagement(talk, phase === 'ready');

  const accept = useCallback(
    async (draft: Pick<Draft, 'index'>, text?: string) => {
      const open = talk.status.get()?.turn;
      if (!open) return undefined;
      // Always the index that is shown, and the turn it belongs to: it can never mean another one (D5).
      const wished = { turn: open.turn, draft: draft.index, ...(text !== undefined && { text }) };
      const done = await wish(() => talk.remote.command('accept', wished));
      if (!done) return undefined;
      talk.away.set(undefined);
      setSaid(`Accepted draft ${draft.index}.`);
      requestAnimationFrame(() => area.current?.scrollTo({ top: 0 }));
      return done;
    },
    [talk, wish],
  );

  const touch = useCallback((next: Touched) => {
    setTouched(next);
    showPanel();
  }, []);

  async function fork(): Promise<void> {
    const made = await wish(() => talk.remote.command('fork', turn ? { seq: turn.fork_at } : {}));
    if (!made) return;
    addRow(made.thread);
    go(pathTo(made.thread));
  }

  const { more } = useStore(talk.history);
  const buffer = useStore(talk.buffer);
  const hasOlder = turn !== null && buffer.drafts.length < buffer.total;
  const write = () => field.current?.focus();
  useActions('This dialogue', [
    { name: turn ? 'Steer the mind' : 'Write', keys: turn ? ['s', 'c'] : ['c', 's'], act: write },
    { name: 'Settings of the mind', act: () => setConfiguring(true) },
    { name: turn ? 'Another topic beside this' : 'Fork', act: () => void fork() },
    { name: 'All drafts as a file', act: () => download(archivePath(talk.id), archiveName(talk.id)) },
    { name: 'Show older drafts', act: () => void talk.showOlder(), when: hasOlder },
    { name: 'Show earlier turns', act: () => void talk.showEarlier(), when: more },
  ]);
  useLayoutEffect(() => {
    if (phase === 'ready' && !talk.status.get()?.turn && talk.history.get().pairs.length === 0) field.current?.focus();
  }, [phase, talk]);
  useLooked(talk);

  if (phase === 'missing') return <NotThere what="dialogue" problem={problem} />;
  if (phase === 'loading' || !status) return <main aria-busy="true" />;
  const [ofTurn, index] = (at ?? '').split('.').map(Number);
  const target = turn && ofTurn === turn.turn && index ? index : undefined;
  return (
    <>
      <main className="room" aria-label="Dialogue">
        <Head id={talk.id} status={status} accepted={accepted} />
        {turn && <RunLine talk={talk} status={status} />}
        <div className="talk" ref={area}>
          <div className="talk-inside">
            <Refused because={refusal} />
            {turn && <Message key={`message-${turn.turn}`} talk={talk} turn={turn} />}
            {turn && away && isWorthTelling(away) && away.turn === turn.turn && (
              <WhileAway
                away={away}
                onAccept={(best) => void accept({ index: best })}
                onRead={(best) => go(`/dialogue/${encodeURIComponent(talk.id)}#${turn.turn}.${best}`)}
                onPutAway={() => talk.away.set(undefined)}
              />
            )}
            {turn && (
              <Drafts
                key={`drafts-${turn.turn}`}
                talk={talk}
                status={status}
                area={area}
                touched={touched}
                target={target}
                accept={accept}
                onTouch={touch}
              />
            )}
            {!turn && status.iter === 0 && <Empty />}
            <History
              talk={talk}
              lit={touched}
              target={turn && ofTurn === turn.turn ? undefined : ofTurn}
              onTouch={(ofTurn, draft, sentence) => touch({ turn: ofTurn, draft, sentence })}
            />
          </div>
        </div>
        <Composer
          key={turn ? 'steer' : `message-${talk.history.get().pairs[0]?.turn ?? 0}`}
          talk={talk}
          status={status}
          field={field}
        />
      </main>
      <Beside label="Thoughts">
        <Panel
          talk={talk}
          status={status}
          touched={touched}
          fork={() => void fork()}
          onTouch={touch}
          onConfigure={() => setConfiguring(true)}
        />
      </Beside>
      {isConfiguring && <ConfigSheet talk={talk} onClose={() => setConfiguring(false)} />}
      <Announcer text={said} />
      <News talk={talk} />
    </>
  );
}

/** Tells those who listen instead of looking what the mind wrote. */
function News({ talk }: { readonly talk: Talk }) {
  const [newest] = useStore(talk.buffer).drafts;
  const [before] = useState(newest?.index ?? 0);
  if (!newest || newest.index === before) return <Announcer text="" />;
  return <Announcer text={newest.signal ? `Signal ${newest.text.trim()}` : `Draft ${newest.index} is there.`} />;
}

function Empty() {
  return (
    <p className="empty soft">
      Write, and a mind begins to draft an answer. It goes on until you accept one; nothing is sent before.
    </p>
  );
}

/** The list must not call new what stands on this screen. */
function useLooked(talk: Talk): void {
  const status = useStore(talk.status);
  useEffect(() => {
    if (status && document.visibilityState === 'visible') looked(talk.id, Number(placeOf('thread', status.head)));
  }, [talk, status]);
}
