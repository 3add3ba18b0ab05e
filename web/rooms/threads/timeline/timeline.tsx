import { useEffect, useMemo, useRef, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { markThreadRead } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { visitCount } from '../../../shell/address.ts';
import type { OutgoingMessage } from '../data/outbox.ts';
import type { OpenThread } from '../data/thread.ts';
import type { UnreadRange } from '../data/unread-range.ts';
import { Drafts } from './drafts.tsx';
import { buildEntries, reuseEntries, type TimelineEntry } from './entries.ts';
import { type EntryActions, EntryView } from './entry.tsx';
import { OutgoingEntry } from './outgoing.tsx';
import { firstVisibleRow, useScroll } from './scroll.ts';

interface ThreadTimelineProps {
  readonly thread: OpenThread;
  readonly unread: UnreadRange | undefined;
  /** The event the address points at. */
  readonly target: string | undefined;
  readonly actions: EntryActions;
  onEdit(item: OutgoingMessage): void;
}

const NO_DRAFTS: WireThreadState['drafts'] = [];

export function Timeline({ thread, unread, target, actions, onEdit }: ThreadTimelineProps) {
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
      buildEntries(events, { state, me: thread.me, unread, quotedEvents }),
    );
    return previousEntries.current;
  }, [events, state, thread, unread, quotedEvents]);
  const feed = useRef<HTMLDivElement>(null);
  const { isAtBottom, below, focusRow, onScroll } = useScroll({
    area: feed,
    thread,
    entries,
    outgoing: outgoing.length,
    drafts: drafts.length,
    target,
  });
  const [markedKey, setMarkedKey] = useState<string>();
  const currentKey = entries.some(({ key }) => key === markedKey) ? markedKey : entries.at(-1)?.key;

  const isLoaded = events.length > 0;
  const visit = useStore(visitCount);
  const isTargetDraft = drafts.some(({ event }) => event === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useEffect(() => {
    if (!target || !isLoaded) return;
    let isCurrent = true;
    // A draft is shown at the end, whenever it was written.
    void (isTargetDraft ? thread.showNewest() : thread.showEvent(target)).then(() => {
      requestAnimationFrame(() => {
        if (isCurrent) focusRow(feed.current?.querySelector(`[id="${CSS.escape(target)}"]`), 'center');
      });
    });
    return () => {
      isCurrent = false;
    };
  }, [thread, target, isLoaded, focusRow, visit, isTargetDraft]);

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
      name: 'Reply to what is marked',
      keys: ['r'],
      act() {
        const row = document.activeElement?.closest('article[data-entry]');
        const entry = entries.find(({ key }) => key === (row?.getAttribute('data-entry') ?? currentKey));
        if (entry && entry.kind !== 'note') actions.reply(entry.event);
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

  return (
    <div className="timeline" ref={feed} onScroll={onScroll}>
      <div role="feed" aria-label="Timeline" aria-busy={!isLoaded} className="feed" onFocus={onFocus}>
        {!atStart && events.length > 0 && (
          <p className="more">
            {onlyNewest
              ? 'Only the newest of what was said stands here; “Export what was said” has all of it.'
              : 'Earlier events are read as you scroll.'}
          </p>
        )}
        {entries.map((entry) => (
          <EntryView
            key={entry.key}
            entry={entry}
            thread={thread}
            isCurrent={entry.key === currentKey}
            isTarget={entry.event.id === target}
            actions={actions}
          />
        ))}
        {atEnd &&
          outgoing.map((item) => (
            <OutgoingEntry
              key={`${thread.me}/${item.command}`}
              item={item}
              me={thread.me}
              isConnected={isConnected}
              onSendAgain={() => thread.outbox.sendAgain(item)}
              onEdit={() => onEdit(item)}
            />
          ))}
        {atEnd && state?.drafts_left_out && (
          <p className="more">
            {state.drafts_left_out} older drafts are too large to show as well. Post or dismiss some of these first.
          </p>
        )}
        {atEnd && <Drafts thread={thread} drafts={drafts} target={target} />}
        {problem && (
          <p className="refused" role="alert">
            {problem}
          </p>
        )}
      </div>
      {(below > 0 || !atEnd || (drafts.length > 0 && !isAtBottom)) && (
        <button type="button" className="below" onClick={() => void goToEdge('newest')}>
          {below > 0 ? `${below} new below` : atEnd ? 'To the drafts below' : 'To the newest'}
        </button>
      )}
    </div>
  );
}
