import { UserPlus } from 'lucide-react';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Attachment, WireEvent } from '../../../src/client/index.ts';
import { authorLabelOf } from '../../../src/core/events/event.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { browserStorage } from '../../data/browser-storage.ts';
import { useStore } from '../../data/store.ts';
import { RoomLoading, RoomNotFound } from '../../data/use-room.tsx';
import { addRow } from '../../data/workspace.ts';
import { searchHere } from '../../palette/search-here.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate, threadPath } from '../../shell/address.ts';
import { activeSheet } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { lazyWithRetry } from '../../ui/lazy.ts';
import { usePainted } from '../../ui/painted.ts';
import { People } from '../../ui/people/people.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { firstLine } from '../../ui/text/first-line.ts';
import { keepAttachments } from '../attachments/uploads.ts';
import { SidePanel } from '../side-panel.tsx';
import { Composer } from './composer/composer.tsx';
import type { OutgoingMessage } from './data/outbox.ts';
import { useOwnEdit } from './data/own-edit.ts';
import { type OpenThread, openThread } from './data/thread.ts';
import { useUnreadRange } from './data/unread-range.ts';
import type { ThreadDialog } from './dialogs/open-dialog.ts';
import { ThreadHeader } from './header.tsx';
import { useThreadPeople } from './people.ts';
import { useThreadActions } from './thread-actions.ts';
import { eventText } from './timeline/entries.ts';
import type { EntryActions } from './timeline/entry.tsx';
import { Timeline } from './timeline/timeline.tsx';

/** Loaded at once, while the server is reachable, and drawn after the messages. */
const panelModule = import('./panel/panel.tsx').catch(() => undefined);
const ThreadPanel = lazyWithRetry(async () => ((await panelModule) ?? (await import('./panel/panel.tsx'))).ThreadPanel);
const ThreadDialogs = lazyWithRetry(async () => (await import('./dialogs/dialogs.tsx')).ThreadDialogs);

export interface ThreadRoomProps {
  readonly id: string;
  readonly me: string;
  /** The event the address points at. */
  readonly at: string | undefined;
  /** The thread has a room of its own, which shows the rest of it. */
  readonly isDiscussion: boolean;
}

/** The room of one thread. */
export function ThreadRoom({ id, me, at: event, isDiscussion }: ThreadRoomProps) {
  const [thread, setThread] = useState<OpenThread>();
  const target = useRef(event);
  target.current = event;
  useEffect(() => {
    const openedThread = openThread(id, me, isDiscussion);
    setThread(openedThread);
    void openedThread.open(target.current);
    return openedThread.close;
  }, [id, me, isDiscussion]);
  return thread?.id === id ? <OpenRoom key={id} thread={thread} event={event} /> : <main aria-busy="true" />;
}

function OpenRoom({ thread, event }: { readonly thread: OpenThread; readonly event: string | undefined }) {
  const { phase, problem } = useStore(thread.range);
  const { isOutOfReach } = useStore(thread.loadState);
  const state = useStore(thread.state);
  const isPainted = usePainted(phase !== 'loading');
  const unread = useUnreadRange(thread);
  const [replyTo, setReplyTo] = useState<WireEvent>();
  const [isRenaming, setRenaming] = useState(false);
  const [composerKey, setComposerKey] = useState(0);
  const [dialog, setOpenDialog] = useState<ThreadDialog>();
  // A dialog takes the place of the panel where that is a sheet.
  const setDialog = useCallback((next: ThreadDialog | undefined) => {
    if (next) activeSheet.set(undefined);
    setOpenDialog(next);
  }, []);
  const field = useRef<HTMLTextAreaElement>(null);
  const { attempt, refusal } = useAttempt();

  const { editing, edit, editLast, stopEdit } = useOwnEdit(thread);
  const reply = useCallback((to: WireEvent) => {
    setReplyTo(to);
    field.current?.focus();
  }, []);
  const actions = useMemo<EntryActions>(
    () => ({
      reply,
      edit,
      stopEdit,
      async fork(at?: WireEvent) {
        const created = await attempt(() => thread.remote.command('fork', at ? { seq: at.seq } : {}));
        if (!created) return;
        addRow(created.thread);
        navigate(threadPath(created.thread));
      },
      catchUp: () => setDialog({ kind: 'catch-up' }),
      prod(participant, event) {
        const reply_to = questionOf(thread, event);
        const meta = reply_to === undefined ? {} : { meta: { reply_to } };
        void attempt(() => thread.remote.post({ type: 'control', content: { prod: [participant] }, ...meta }));
      },
      stop(participant) {
        void attempt(() => thread.remote.command('stop_answer', { participant }));
      },
      finish(task, status) {
        void attempt(() => thread.remote.post({ type: 'result', content: { status }, meta: { reply_to: task.id } }));
      },
      invite: () => setDialog({ kind: 'invite' }),
      write: () => field.current?.focus(),
    }),
    [thread, reply, edit, stopEdit, attempt, setDialog],
  );

  /** Moves a message that was not sent back to the composer, before the text that is there now. */
  function editAgain(item: OutgoingMessage): void {
    const { content } = item.body;
    const text = typeof content === 'string' ? content : content.text;
    const unsentText = browserStorage.unsent(thread.id)?.text;
    thread.outbox.remove(item.command);
    browserStorage.setUnsent(thread.id, { text: unsentText ? `${text}\n\n${unsentText}` : text });
    keepAttachments(thread.id, (item.body.meta?.attachments ?? []) as readonly Attachment[]);
    setComposerKey((count) => count + 1);
    requestAnimationFrame(() => field.current?.focus());
  }

  // A person who opens an empty thread is about to write.
  useLayoutEffect(() => {
    const isEmpty = !thread.range.get().events.some(({ type }) => type === 'message');
    if (phase === 'ready' && isEmpty) field.current?.focus();
  }, [phase, thread]);

  const people = useThreadPeople(state);
  const post = (...controls: Control[]) => void attempt(() => thread.control(controls));
  useThreadActions(thread, state, setDialog, (controls) => post(...controls));
  useActions('This thread', [
    { name: 'Write', keys: ['c'], act: () => field.current?.focus() },
    { name: 'Mention someone; ↓ ↑ choose, Enter or Tab inserts', keys: ['@'] },
    { name: 'Send; Shift Enter starts a new line', keys: ['Enter'] },
    { name: 'Edit your last message, if nothing is typed', keys: ['ArrowUp'] },
    { name: 'Search in this thread', act: searchHere },
    { name: 'Catch me up', act: () => setDialog({ kind: 'catch-up' }) },
    {
      name: state?.paused ? 'Resume agents' : 'Pause agents',
      act: () => post({ pause: { on: !state?.paused } }),
      when: !!state,
    },
    { name: 'Mark done', act: () => post({ done: true }), when: state?.done === false },
    { name: 'Fork at the end', act: () => void actions.fork() },
  ]);

  if (phase === 'missing') return <RoomNotFound kind="thread" problem={problem} />;
  if (isOutOfReach && phase === 'loading') return <RoomLoading isOutOfReach />;
  return (
    <People value={people}>
      <main className="room" aria-label="Thread">
        <ThreadHeader
          thread={thread}
          state={state}
          isRenaming={isRenaming}
          onRename={() => setRenaming(true)}
          onRenamed={() => setRenaming(false)}
          onDialog={setDialog}
          onPost={post}
          onFork={() => actions.fork()}
        />
        <Timeline
          thread={thread}
          unread={unread}
          target={event}
          actions={actions}
          editing={editing}
          onEdit={editAgain}
        />
        <RefusalMessage reason={refusal} />
        <Composer
          key={composerKey}
          thread={thread}
          state={state}
          replyTo={replyTo}
          onReplyDone={() => setReplyTo(undefined)}
          onEditLast={editLast}
          onChangeRules={() => setDialog({ kind: 'settings' })}
          field={field}
        />
      </main>
      <SidePanel
        label="People"
        actions={
          <Button kind="quiet" icon={UserPlus} onClick={actions.invite}>
            Invite
          </Button>
        }
      >
        {state && isPainted && (
          <Suspense fallback={null}>
            <ThreadPanel thread={thread} state={state} onDialog={setDialog} onPause={(on) => post({ pause: { on } })} />
          </Suspense>
        )}
      </SidePanel>
      {state && dialog && (
        <Suspense fallback={null}>
          <ThreadDialogs
            dialog={dialog}
            thread={thread}
            state={state}
            unreadAfter={unread?.after ?? 0}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
      <NewMessageAnnouncer thread={thread} />
    </People>
  );
}

/** What an agent is asked to answer again: an earlier request leads to the message it was about (T39). */
function questionOf(thread: OpenThread, event: string | undefined): string | undefined {
  const known = thread.range.get().events.find(({ id }) => id === event);
  return known?.type === 'control' ? known.meta.reply_to : event;
}

/** Announces new messages to screen reader users. */
function NewMessageAnnouncer({ thread }: { readonly thread: OpenThread }) {
  const newMessages = useStore(thread.liveEvents).filter(({ from, type }) => from !== thread.me && type === 'message');
  const [first] = newMessages;
  const text =
    newMessages.length > 1
      ? `${newMessages.length} new messages`
      : first
        ? `${authorLabelOf(first)}: ${firstLine(eventText(first))}`
        : '';
  return <Announcer text={text} />;
}
