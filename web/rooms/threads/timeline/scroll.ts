import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import type { OpenThread } from '../data/thread.ts';
import type { TimelineEntry } from './entries.ts';

const LOAD_MARGIN = 1200;
const BOTTOM_MARGIN = 40;

interface ScrollInput {
  readonly area: RefObject<HTMLElement | null>;
  /** What scrolls in it. */
  readonly content: RefObject<HTMLElement | null>;
  readonly thread: OpenThread;
  readonly entries: readonly TimelineEntry[];
  readonly outgoing: number;
  readonly drafts: number;
  /** The event the address points at. */
  readonly target: string | undefined;
}

/**
 * Keeps the visible text in place: text added or removed above does not move it. At the bottom, the
 * view follows new entries.
 */
export function useScroll({ area, content, thread, entries, outgoing, drafts, target }: ScrollInput) {
  const anchor = useRef<ScrollAnchor | undefined>(undefined);
  const isStuck = useRef(!target);
  const lastOutgoing = useRef(outgoing);
  const lastRead = useRef<number | undefined>(undefined);
  const lastTop = useRef(0);
  const [isAtBottom, setAtBottom] = useState(false);
  const [below, setBelow] = useState(0);

  const recordPosition = useCallback(
    (isFollowing = false) => {
      const element = area.current;
      const { events, atEnd } = thread.range.get();
      if (!element || events.length === 0) return;
      isStuck.current = atEnd && (isFollowing || distanceToBottom(element) < BOTTOM_MARGIN);
      anchor.current = currentAnchor(element);
      setAtBottom(isStuck.current);
      thread.setAtBottom(isStuck.current);
      if (isStuck.current) lastRead.current = events.at(-1)?.seq;
      setBelow(isStuck.current ? 0 : countNewMessages(lastRead.current, events, thread.me));
    },
    [area, thread],
  );

  const restorePosition = useCallback(() => {
    const element = area.current;
    if (!element) return;
    if (isStuck.current) element.scrollTop = element.scrollHeight;
    else restoreAnchor(element, anchor.current);
    lastTop.current = element.scrollTop;
  }, [area]);

  // Rows may change between a turn of the wheel and its scroll event: the visible text must stay in place then too.
  const noticeTurn = useCallback(() => {
    const element = area.current;
    if (!element || element.scrollTop === lastTop.current) return;
    // What grew at the end has not moved a reader who was there.
    if (element.scrollTop < lastTop.current) isStuck.current &&= distanceToBottom(element) < BOTTOM_MARGIN;
    anchor.current = currentAnchor(element);
  }, [area]);
  useLayoutEffect(() => thread.range.watch(noticeTurn), [thread, noticeTurn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the rows change
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    // The read that loaded these rows has ended by the next frame. Where none of what was read is a row, such as
    // versions of one message, the rows are further back.
    const frame = requestAnimationFrame(() => void (element.scrollTop < LOAD_MARGIN && thread.showOlder()));
    const cancel = () => cancelAnimationFrame(frame);
    if (entries.length === 0) return cancel;
    const isOpening = lastRead.current === undefined;
    if (isOpening) lastRead.current = entries.at(-1)?.event.seq;
    if (outgoing > lastOutgoing.current) isStuck.current = true;
    lastOutgoing.current = outgoing;
    restorePosition();
    if (isOpening && !target) element.querySelector('.new-here')?.scrollIntoView({ block: 'start' });
    recordPosition();
    return cancel;
  }, [entries, outgoing, drafts]);

  useEffect(() => {
    const watcher = new ResizeObserver(() => {
      noticeTurn();
      restorePosition();
    });
    for (const { current } of [area, content]) if (current) watcher.observe(current);
    return () => watcher.disconnect();
  }, [area, content, noticeTurn, restorePosition]);

  const onScroll = useCallback(() => {
    const element = area.current;
    if (!element) return;
    const delta = element.scrollTop - lastTop.current;
    lastTop.current = element.scrollTop;
    // Text may have grown since the end was scrolled to: only a move upwards leaves the end.
    recordPosition(isStuck.current && delta >= 0);
    // Load only in the scroll direction: each read drops events at the other end, which a tall screen may also show.
    if (delta < 0 && element.scrollTop < LOAD_MARGIN) void thread.showOlder();
    if (delta > 0 && distanceToBottom(element) < LOAD_MARGIN) void thread.showNewer();
  }, [area, thread, recordPosition]);

  const focusRow = useCallback(
    (row: Element | null | undefined, block: 'nearest' | 'center' | 'end') => {
      if (!(row instanceof HTMLElement)) return;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block });
      recordPosition();
    },
    [recordPosition],
  );

  return { isAtBottom, below, focusRow, onScroll };
}

interface ScrollAnchor {
  readonly key: string;
  /** The distance below the upper edge of the area. */
  readonly top: number;
}

function distanceToBottom(area: HTMLElement): number {
  return area.scrollHeight - area.scrollTop - area.clientHeight;
}

function countNewMessages(seq: number | undefined, events: readonly WireEvent[], me: string): number {
  return events.filter((event) => event.seq > (seq ?? 0) && event.from !== me && event.type === 'message').length;
}

/** The first row that is not wholly above the area's upper edge. */
export function firstVisibleRow(area: HTMLElement, selector = 'article[data-entry]'): HTMLElement | undefined {
  const top = area.getBoundingClientRect().top;
  const rows = area.querySelectorAll<HTMLElement>(selector);
  // Rows are in order, so a binary search finds it.
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as HTMLElement).getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return rows[low];
}

/** A fold is no anchor: what is read before it joins it. */
function currentAnchor(area: HTMLElement): ScrollAnchor | undefined {
  const row = firstVisibleRow(area, 'article[data-entry]:not([data-fold])');
  return row && { key: row.dataset.entry ?? '', top: offsetWithin(area, row) };
}

function restoreAnchor(area: HTMLElement, anchor: ScrollAnchor | undefined): void {
  const row = anchor && area.querySelector(`[data-entry="${CSS.escape(anchor.key)}"]`);
  if (row) area.scrollTop += offsetWithin(area, row) - anchor.top;
}

function offsetWithin(area: HTMLElement, row: Element): number {
  return row.getBoundingClientRect().top - area.getBoundingClientRect().top;
}
