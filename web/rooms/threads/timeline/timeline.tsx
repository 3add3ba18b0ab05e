import { Fragment, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import { useStore } from '../../../data/store.ts';
import { markThreadRead } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { visitCount } from '../../../shell/address.ts';
import { JumpToLatest } from '../../../ui/follow-end.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import type { OutgoingMessage } from '../data/outbox.ts';
import type { OpenThread } from '../data/thread.ts';
import type { UnreadRange } from '../data/unread-range.ts';
import { Drafts, type TimelineDraft } from './drafts.tsx';
import { buildEntries, reuseEntries, type TimelineEntry } from './entries.ts';
import { type EntryActions, RowView } from './entry.tsx';
import { LiveAnswers } from './live.tsx';
import styles from './message.module.css';
import { OutgoingEntry } from './outgoing.tsx';
import { foldEntries, reuseRows, type TimelineRow } from './rows.ts';
import { firstVisibleRow, useScroll } from './scroll.ts';
import { StoppedWakes } from './stopped.tsx';
import area from './timeline.module.css';

interface ThreadTimelineProps {
  readonly thread: OpenThread;
  readonly unread: UnreadRange | undefined;
  /** The event the address points at. */
  readonly target: string | undefined;
  readonly actions: EntryActions;
  /** The message that is being edited. */
  readonly editing: string | undefined;
  onEdit(item: OutgoingMessage): void;
}

const EmptyThread = lazyWithRetry(async () => (await import('./empty.tsx')).EmptyThread);
const NO_DRAFTS: WireThreadState['drafts'] = [];

export function Timeline({ thread, unread, target, actions, editing, onEdit }: ThreadTimelineProps) {
  const { events, atStart, atEnd, onlyNewest, problem } = useStore(thread.range);
  const state = useStore(thread.state);
  const drafts = state?.drafts ?? NO_DRAFTS;
  const quotedEvents = useStore(thread.quotedEvents);
  const outgoing = useStore(thread.outbox.items);
  const isConnected = useStore(thread.connection) === 'open';
  const previousEntries = useRef<readonly TimelineEntry[]>([]);
  const entries = useMemo(() => {
    previousEntries.current = reuseEntries(
      previousEntries.current,
      buildEntries(events, { state, me: thread.me, unread, quotedEvents, atStart, watched: thread.watched }),
    );
    return previousEntries.current;
  }, [events, state, thread, unread, quotedEvents, atStart]);
  const previousRows = useRef<readonly TimelineRow[]>([]);
  const rows = useMemo(() => {
    previousRows.current = reuseRows(previousRows.current, foldEntries(entries));
    return previousRows.current;
  }, [entries]);
  const draftsByRow = useMemo(() => groupDrafts(drafts, events), [drafts, events]);
  const feed = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtBottom, below, focusRow, onScroll } = useScroll({
    area: feed,
    content,
    thread,
    entries,
    outgoing: outgoing.length,
    drafts: drafts.length,
    target,
  });
  const [markedKey, setMarkedKey] = useState<string>();
  const currentKey = rows.some(({ key }) => key === markedKey) ? markedKey : rows.at(-1)?.key;

  const isLoaded = events.length > 0;
  const visit = useStore(visitCount);
  const targetDraft = drafts.find(({ event }) => event === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useEffect(() => {
    if (!target || !isLoaded) return;
    let isCurrent = true;
    // A draft stands under what it answers, and one that answers nothing at the end.
    const place = targetDraft ? targetDraft.reply_to : target;
    void (place === undefined ? thread.showNewest() : thread.showEvent(place)).then(() => {
      requestAnimationFrame(() => {
        if (isCurrent) focusRow(feed.current?.querySelector(`[id="${CSS.escape(target)}"]`), 'center');
      });
    });
    return () => {
      isCurrent = false;
    };
  }, [thread, target, isLoaded, focusRow, visit, targetDraft?.event]);

  // An entry counts as read once it was on a visible screen.
  const lastSeq = events.at(-1)?.seq ?? 0;
  useEffect(() => {
    const markIfSeen = () =>
      isAtBottom && atEnd && document.visibilityState === 'visible' && markThreadRead(thread.id, lastSeq);
    markIfSeen();
    document.addEventListener('visibilitychange', markIfSeen);
    return () => document.removeEventListener('visibilitychange', markIfSeen);
  }, [isAtBottom, atEnd, thread, lastSeq]);

  /** Moves from the focused row, or from the first visible one if none has focus. */
  function moveFocus(step: number): void {
    const area = feed.current;
    if (!area) return;
    const rows = [...area.querySelectorAll('article[data-entry]')];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const startRow = isAtBottom ? rows.at(-1) : firstVisibleRow(area);
    focusRow(at >= 0 ? rows[at + step] : startRow, 'nearest');
  }

  async function goToEdge(edge: 'first' | 'newest'): Promise<void> {
    if (edge === 'first' && !atStart) await thread.showOldest();
    if (edge === 'newest' && !atEnd) await thread.showNewest();
    requestAnimationFrame(() => {
      const rows = feed.current?.querySelectorAll('article[data-entry]') ?? [];
      focusRow(rows[edge === 'first' ? 0 : rows.length - 1], edge === 'first' ? 'nearest' : 'end');
      if (edge === 'newest' && feed.current) feed.current.scrollTop = feed.current.scrollHeight;
    });
  }

  useActions('This thread', [
    {
      name: 'Reply to the selected message',
      keys: ['r'],
      act() {
        const row = document.activeElement?.closest('article[data-entry]');
        const entry = entries.find(({ key }) => key === (row?.getAttribute('data-entry') ?? currentKey));
        if (entry && entry.kind !== 'note' && entry.kind !== 'cut') actions.reply(entry.event);
      },
    },
    { name: 'Next in the timeline', keys: ['j', 'ArrowDown'], act: () => moveFocus(1) },
    { name: 'Previous in the timeline', keys: ['k', 'ArrowUp'], act: () => moveFocus(-1) },
    { name: 'The first', keys: ['Home'], act: () => void goToEdge('first') },
    { name: 'The newest', keys: ['End'], act: () => void goToEdge('newest') },
  ]);

  function onFocus(event: { target: EventTarget }): void {
    const key = (event.target as Element).closest('article[data-entry]')?.getAttribute('data-entry');
    if (key) setMarkedKey(key);
  }

  const isEmpty = atStart && atEnd && isLoaded && outgoing.length === 0 && drafts.length === 0 && hasOnlyBegun(entries);
  return (
    <div className={`${area.timeline} timeline`} ref={feed} onScroll={onScroll}>
      <div className={area.feed} ref={content}>
        <div role="feed" aria-label="Timeline" aria-busy={!isLoaded} onFocus={onFocus}>
          {!atStart && events.length > 0 && (
            <p className={`${area.more} more`}>
              {onlyNewest
                ? 'Only the newest messages are shown. “Export messages” has all of them.'
                : 'Scroll up to read earlier messages.'}
            </p>
          )}
          {rows.map((row) => (
            <Fragment key={row.key}>
              <RowView
                row={row}
                thread={thread}
                isCurrent={row.key === currentKey}
                isEditing={row.entries.some(({ event }) => event.id === editing)}
                target={row.entries.some(({ event }) => event.id === target) ? target : undefined}
                actions={actions}
              />
              {draftsByRow.size > 0 &&
                row.entries.map(({ event }) => (
                  <Drafts
                    key={event.id}
                    thread={thread}
                    drafts={draftsByRow.get(event.id)}
                    isAlone={drafts.length === 1}
                    target={target}
                  />
                ))}
            </Fragment>
          ))}
          {atEnd && (
            <Drafts thread={thread} drafts={draftsByRow.get('')} isAlone={drafts.length === 1} target={target} />
          )}
        </div>
        {isEmpty && (
          <Suspense fallback={null}>
            <EmptyThread onInvite={actions.invite} onWrite={actions.write} />
          </Suspense>
        )}
        {atEnd && state?.drafts_left_out && (
          <p className={`${area.more} more`}>
            {state.drafts_left_out} older drafts are too large to show as well. Post or dismiss some of these first.
          </p>
        )}
        {atEnd && state && (
          <LiveAnswers
            thread={thread}
            state={state}
            events={events}
            cut={cutWriters(entries)}
            lastEvent={entries.at(-1)?.event.id}
            onStop={actions.stop}
          />
        )}
        {atEnd && !isConnected && outgoing.length > 0 && <p className={styles.divider}>Not sent yet</p>}
        {atEnd &&
          outgoing.map((item) => (
            <OutgoingEntry
              key={`${thread.me}/${item.command}`}
              item={item}
              me={thread.me}
              isConnected={isConnected}
              onSendAgain={() => thread.outbox.sendAgain(item)}
              onEdit={() => onEdit(item)}
              onWithdraw={() => thread.outbox.remove(item.command)}
            />
          ))}
        {atEnd && state && <StoppedWakes thread={thread} stopped={state.stopped} />}
        {problem && (
          <p className="refused" role="alert">
            {problem}
          </p>
        )}
      </div>
      {isLoaded && (!isAtBottom || !atEnd) && (
        <JumpToLatest
          {...(below > 0 && { label: `${below} new ${below === 1 ? 'message' : 'messages'}` })}
          onJump={() => void goToEdge('newest')}
        />
      )}
    </div>
  );
}

/** Those whose last try was cut off. */
function cutWriters(entries: readonly TimelineEntry[]): ReadonlySet<string> {
  const cuts = entries.filter(({ kind }) => kind === 'cut');
  return new Set(cuts.flatMap(({ event }) => threadContent(event, 'wake.waiting')?.participant ?? []));
}

/** By the event that they answer; those whose event is not shown are under ''. */
function groupDrafts(
  drafts: readonly TimelineDraft[],
  events: readonly WireEvent[],
): ReadonlyMap<string, readonly TimelineDraft[]> {
  if (drafts.length === 0) return NO_GROUPS;
  const ids = new Set(events.map(({ id }) => id));
  return Map.groupBy(drafts, ({ reply_to }) => (reply_to !== undefined && ids.has(reply_to) ? reply_to : ''));
}

const NO_GROUPS: ReadonlyMap<string, readonly TimelineDraft[]> = new Map();

/** Nobody has said anything yet, and nobody is asked to. */
function hasOnlyBegun(entries: readonly TimelineEntry[]): boolean {
  return entries.length === 1 && entries[0]?.event.type === 'thread.created';
}
