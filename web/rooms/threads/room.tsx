import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ThreadRow, WireEvent, WireThreadState } from '../../../src/client/index.ts';
import { authorShown } from '../../../src/core/events/event.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { kept } from '../../data/browser-storage.ts';
import { NotThere } from '../../data/room-loader.tsx';
import { useStore } from '../../data/store.ts';
import { addRow, rows } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { go, pathTo } from '../../shell/address.ts';
import { Beside } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { lazily } from '../../ui/lazy.ts';
import { usePainted } from '../../ui/painted.ts';
import { Hues } from '../../ui/person.tsx';
import { Refused, useWish } from '../../ui/request.tsx';
import { firstLine } from '../../ui/text/first-line.ts';
import { Composer } from './composer/composer.tsx';
import type { Outgoing } from './data/outbox.ts';
import { openThread, type Thread } from './data/thread.ts';
import { useMissed } from './data/unread-range.ts';
import { Head } from './head.tsx';
import { useFolds } from './panel/sections.ts';
import { useThreadActions } from './thread-actions.ts';
import { textOf } from './timeline/entries.ts';
import type { EntryActions } from './timeline/entry.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { AtWork } from './wake-status.tsx';
import './agents.css';

/** Asked for at once, while the server is there, and drawn after the words. */
const panel = import('./panel/panel.tsx').catch(() => undefined);
const Panel = lazily(async () => ((await panel) ?? (await import('./panel/panel.tsx'))).Panel);
const CatchUp = lazily(async () => (await import('./catch-up.tsx')).CatchUp);

interface RoomProps {
  readonly id: string;
  readonly me: string;
  /** The event the address points at. */
  readonly event: string | undefined;
}

/** The room of one thread. */
export function ThreadRoom({ id, me, event }: RoomProps) {
  const [thread, setThread] = useState<Thread>();
  const isBeside = useStore({ ...rows, get: () => hasOwnRoom(rows.get()?.get(id)) });
  const target = useRef(event);
  target.current = event;
  useEffect(() => {
    const opened = openThread(id, me, isBeside);
    setThread(opened);
    void opened.open(target.current);
    return opened.close;
  }, [id, me, isBeside]);
  return thread?.id === id ? <OpenRoom key={id} thread={thread} event={event} /> : <main aria-busy="true" />;
}

function hasOwnRoom(row: ThreadRow | undefined): boolean {
  return row !== undefined && row.kind !== 'conversation';
}

function OpenRoom({ thread, event }: { readonly thread: Thread; readonly event: string | undefined }) {
  const { phase, problem } = useStore(thread.stretch);
  const state = useStore(thread.state);
  const isPainted = usePainted(phase !== 'loading');
  const missed = useMissed(thread);
  const [replyTo, setReplyTo] = useState<WireEvent>();
  const [renaming, setRenaming] = useState(false);
  const [composed, setComposed] = useState(0);
  const [catching, setCatching] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { wish, refusal } = useWish();

  const reply = useCallback((to: WireEvent) => {
    setReplyTo(to);
    field.current?.focus();
  }, []);
  const actions = useMemo<EntryActions>(
    () => ({
      reply,
      async fork(at?: WireEvent) {
        const made = await wish(() => thread.remote.command('fork', at ? { seq: at.seq } : {}));
        if (!made) return;
        addRow(made.thread);
        go(pathTo(made.thread));
      },
      catchUp: () => setCatching(true),
      prod(participant) {
        void wish(() => thread.remote.post({ type: 'control', content: { prod: [participant] } }));
      },
      finish(task, status) {
        void wish(() => thread.remote.post({ type: 'result', content: { status }, meta: { reply_to: task.id } }));
      },
    }),
    [thread, reply, wish],
  );

  /** A message that was refused goes back to where it was written, before what is there now. */
  function edit(item: Outgoing): void {
    const { content } = item.body;
    const text = typeof content === 'string' ? content : content.text;
    const now = kept.unsent(thread.id)?.text;
    thread.outbox.remove(item.command);
    kept.keepUnsent(thread.id, { text: now ? `${text}\n\n${now}` : text });
    setComposed((count) => count + 1);
    requestAnimationFrame(() => field.current?.focus());
  }

  // Whoever opens an empty thread is about to write.
  useLayoutEffect(() => {
    const isEmpty = !thread.stretch.get().events.some(({ type }) => type === 'message');
    if (phase === 'ready' && isEmpty) field.current?.focus();
  }, [phase, thread]);

  const hues = useHues(state);
  const folds = useFolds();
  const post = (...controls: Control[]) => void wish(() => thread.control(controls));
  useThreadActions(thread, state, folds, (controls) => post(...controls));
  useActions('This thread', [
    { name: 'Write', keys: ['c'], act: () => field.current?.focus() },
    { name: 'Mention someone; ↓ ↑ choose, Enter or Tab takes', keys: ['@'] },
    { name: 'Send; Shift Enter begins a new line', keys: ['Enter'] },
    { name: 'Catch me up', act: () => setCatching(true) },
    { name: state?.paused ? 'Resume' : 'Pause', act: () => post({ pause: { on: !state?.paused } }), when: !!state },
    { name: 'Mark done', act: () => post({ done: true }), when: state?.done === false },
    { name: 'Fork at the end', act: () => void actions.fork() },
  ]);

  if (phase === 'missing') return <NotThere what="thread" problem={problem} />;
  return (
    <Hues value={hues}>
      <main className="room" aria-label="Thread">
        <Head thread={thread} state={state} isRenaming={renaming} onRenamed={() => setRenaming(false)} />
        <Timeline thread={thread} missed={missed} target={event} actions={actions} onEdit={edit} />
        <Refused because={refusal} />
        <AtWork thread={thread} state={state} />
        <Composer
          key={composed}
          thread={thread}
          state={state}
          replyTo={replyTo}
          onReplyDone={() => setReplyTo(undefined)}
          field={field}
        />
      </main>
      <Beside label="People">
        {state && isPainted && (
          <Suspense fallback={null}>
            <Panel
              thread={thread}
              state={state}
              folds={folds}
              onRename={() => setRenaming(true)}
              onCatchUp={() => setCatching(true)}
            />
          </Suspense>
        )}
      </Beside>
      {catching && (
        <Suspense fallback={null}>
          <CatchUp thread={thread} after={missed?.after ?? 0} onClose={() => setCatching(false)} />
        </Suspense>
      )}
      <News thread={thread} />
    </Hues>
  );
}

/** Tells those who listen instead of looking what arrived. */
function News({ thread }: { readonly thread: Thread }) {
  const heard = useStore(thread.heard).filter(({ from, type }) => from !== thread.me && type === 'message');
  const [first] = heard;
  const text =
    heard.length > 1
      ? `${heard.length} new messages`
      : first
        ? `${authorShown(first)}: ${firstLine(textOf(first))}`
        : '';
  return <Announcer text={text} />;
}

function useHues(state: WireThreadState | undefined): ReadonlyMap<string, number> {
  const ids = state?.participants.map(({ id }) => id).join(' ') ?? '';
  return useMemo(() => new Map(ids.split(' ').map((id, index) => [id, index])), [ids]);
}
