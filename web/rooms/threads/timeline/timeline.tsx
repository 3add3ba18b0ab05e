import { useEffect, useMemo, useRef, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { looked } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { visits } from '../../../shell/address.ts';
import type { Outgoing } from '../data/outbox.ts';
import type { Thread } from '../data/thread.ts';
import type { Missed } from '../data/unread-range.ts';
import { Drafts } from './drafts.tsx';
import { type Entry, entriesOf, keptEntries } from './entries.ts';
import { type EntryActions, EntryView } from './entry.tsx';
import { OutgoingView } from './outgoing.tsx';
import { firstRow, useScroll } from './scroll.ts';

interface TimelineProps {
  readonly thread: Thread;
  readonly missed: Missed | undefined;
  /** The event the address points at. */
  readonly target: string | undefined;
  readonly actions: EntryActions;
  onEdit(item: Outgoing): void;
}

const NO_DRAFTS: WireThreadState['drafts'] = [];

export function Timeline({ thread, missed, target, actions, onEdit }: TimelineProps) {
  const { events, atStart, atEnd, onlyNewest, problem } = useStore(thread.stretch);
  const state = useStore(thread.state);
  const drafts = state?.drafts ?? NO_DRAFTS;
  const elsewhere = useStore(thread.elsewhere);
  const outgoing = useStore(thread.outbox.items);
  const isConnected = useStore(thread.connection) === 'open';
  const shown = useRef<readonly Entry[]>([]);
  const entries = useMemo(() => {
    shown.current = keptEntries(shown.current, entriesOf(events, { state, me: thread.me, missed, elsewhere }));
    return shown.current;
  }, [events, state, thread, missed, elsewhere]);
  const feed = useRef<HTMLDivElement>(null);
  const { isAtBottom, below, toRow, scrolled } = useScroll({
    area: feed,
    thread,
    entries,
    outgoing: outgoing.length,
    drafts: drafts.length,
    target,
  });
  const [current, setCurrent] = useState<string>();
  const currentKey = entries.some(({ key }) => key === current) ? current : entries.at(-1)?.key;

  const isLoaded = events.length > 0;
  const visit = useStore(visits);
  const isDraft = drafts.some(({ event }) => event === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useEffect(() => {
    if (!target || !isLoaded) return;
    let isWanted = true;
    // A draft stands at the end, whenever it was written.
    void (isDraft ? thread.showNewest() : thread.showEvent(target)).then(() => {
      requestAnimationFrame(() => {
        if (isWanted) toRow(feed.current?.querySelector(`[id="${CSS.escape(target)}"]`), 'center');
      });
    });
    return () => {
      isWanted = false;
    };
  }, [thread, target, isLoaded, toRow, visit, isDraft]);

  // Seen is what stood on a screen somebody looked at.
  const lastSeq = events.at(-1)?.seq ?? 0;
  useEffect(() => {
    const look = () => isAtBottom && atEnd && document.visibilityState === 'visible' && looked(thread.id, lastSeq);
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isAtBottom, atEnd, thread, lastSeq]);

  /** From the marked row, or from what is in view when none is. */
  function move(by: number): void {
    const area = feed.current;
    if (!area) return;
    const rows = [...area.querySelectorAll('article[data-entry]')];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const unmarked = isAtBottom ? rows.at(-1) : firstRow(area);
    toRow(at >= 0 ? rows[at + by] : unmarked, 'nearest');
  }

  async function toEdge(edge: 'first' | 'newest'): Promise<void> {
    if (edge === 'first' && !atStart) await thread.showOldest();
    if (edge === 'newest' && !atEnd) await thread.showNewest();
    requestAnimationFrame(() => {
      const rows = feed.current?.querySelectorAll('article[data-entry]') ?? [];
      toRow(rows[edge === 'first' ? 0 : rows.length - 1], edge === 'first' ? 'nearest' : 'end');
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
    { name: 'Next in the timeline', keys: ['j', 'ArrowDown'], act: () => move(1) },
    { name: 'Previous in the timeline', keys: ['k', 'ArrowUp'], act: () => move(-1) },
    { name: 'The first', keys: ['Home'], act: () => void toEdge('first') },
    { name: 'The newest', keys: ['End'], act: () => void toEdge('newest') },
  ]);

  function marked(event: { target: EventTarget }): void {
    const key = (event.target as Element).closest('article[data-entry]')?.getAttribute('data-entry');
    if (key) setCurrent(key);
  }

  return (
    <div className="timeline" ref={feed} onScroll={scrolled}>
      <div role="feed" aria-label="Timeline" aria-busy={!isLoaded} className="feed" onFocus={marked}>
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
            <OutgoingView
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
        <button type="button" className="below" onClick={() => void toEdge('newest')}>
          {below > 0 ? `${below} new below` : atEnd ? 'To the drafts below' : 'To the newest'}
        </button>
      )}
    </div>
  );
}
