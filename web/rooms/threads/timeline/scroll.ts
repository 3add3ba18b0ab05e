import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import type { Thread } from '../data/thread.ts';
import type { Entry } from './entries.ts';

const NEAR = 1200;
const AT_BOTTOM = 40;

interface Watched {
  readonly area: RefObject<HTMLElement | null>;
  readonly thread: Thread;
  readonly entries: readonly Entry[];
  readonly outgoing: number;
  readonly drafts: number;
  /** The event the address points at. */
  readonly target: string | undefined;
}

/**
 * Keeps what is read where it is: text added or taken away above does not move
 * it, and whoever is at the bottom stays there when something new arrives.
 */
export function useScroll({ area, thread, entries, outgoing, drafts, target }: Watched) {
  const anchor = useRef<Anchor | undefined>(undefined);
  const stuck = useRef(!target);
  const sent = useRef(outgoing);
  const lastRead = useRef<number | undefined>(undefined);
  const lastTop = useRef(0);
  const [isAtBottom, setAtBottom] = useState(false);
  const [below, setBelow] = useState(0);

  const noteWhere = useCallback(() => {
    const element = area.current;
    const { events, atEnd } = thread.stretch.get();
    if (!element || events.length === 0) return;
    stuck.current = atEnd && fromBottom(element) < AT_BOTTOM;
    anchor.current = firstVisible(element);
    setAtBottom(stuck.current);
    thread.setAtBottom(stuck.current);
    if (stuck.current) lastRead.current = events.at(-1)?.seq;
    setBelow(stuck.current ? 0 : countAfter(lastRead.current, events, thread.me));
  }, [area, thread]);

  const hold = useCallback(() => {
    const element = area.current;
    if (!element) return;
    if (stuck.current) element.scrollTop = element.scrollHeight;
    else keepAnchor(element, anchor.current);
    lastTop.current = element.scrollTop;
  }, [area]);

  // Rows may come between a turn of the wheel and the event that tells of it: then too, what is seen stays.
  useLayoutEffect(
    () =>
      thread.stretch.watch(() => {
        const element = area.current;
        if (!element || element.scrollTop === lastTop.current) return;
        stuck.current &&= fromBottom(element) < AT_BOTTOM;
        anchor.current = firstVisible(element);
      }),
    [area, thread],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the rows change
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || entries.length === 0) return;
    const isOpening = lastRead.current === undefined;
    if (isOpening) lastRead.current = entries.at(-1)?.event.seq;
    if (outgoing > sent.current) stuck.current = true;
    sent.current = outgoing;
    hold();
    if (isOpening && !target) element.querySelector('.new-here')?.scrollIntoView({ block: 'start' });
    noteWhere();
    // What brought these rows has ended by the next frame.
    const next = requestAnimationFrame(() => void (element.scrollTop < NEAR && thread.showOlder()));
    return () => cancelAnimationFrame(next);
  }, [entries, outgoing, drafts]);

  useEffect(() => {
    const watcher = new ResizeObserver(hold);
    if (area.current) watcher.observe(area.current);
    return () => watcher.disconnect();
  }, [area, hold]);

  const scrolled = useCallback(() => {
    const element = area.current;
    if (!element) return;
    const by = element.scrollTop - lastTop.current;
    lastTop.current = element.scrollTop;
    noteWhere();
    // Only where one is going: what is read at one end is given up at the other, which a high screen shows as well.
    if (by < 0 && element.scrollTop < NEAR) void thread.showOlder();
    if (by > 0 && fromBottom(element) < NEAR) void thread.showNewer();
  }, [area, thread, noteWhere]);

  const toRow = useCallback(
    (row: Element | null | undefined, block: 'nearest' | 'center' | 'end') => {
      if (!(row instanceof HTMLElement)) return;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block });
      noteWhere();
    },
    [noteWhere],
  );

  return { isAtBottom, below, toRow, scrolled };
}

interface Anchor {
  readonly key: string;
  /** Below the upper edge of the area. */
  readonly top: number;
}

function fromBottom(area: HTMLElement): number {
  return area.scrollHeight - area.scrollTop - area.clientHeight;
}

function countAfter(seq: number | undefined, events: readonly WireEvent[], me: string): number {
  return events.filter((event) => event.seq > (seq ?? 0) && event.from !== me && event.type === 'message').length;
}

/** The rows that stand in the area, from the first that is not wholly above its edge. */
export function firstRow(area: HTMLElement): HTMLElement | undefined {
  const top = area.getBoundingClientRect().top;
  const rows = area.querySelectorAll<HTMLElement>('article[data-entry]');
  // Rows stand in order: found by halving.
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as HTMLElement).getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return rows[low];
}

function firstVisible(area: HTMLElement): Anchor | undefined {
  const row = firstRow(area);
  return row && { key: row.dataset.entry ?? '', top: topIn(area, row) };
}

function keepAnchor(area: HTMLElement, anchor: Anchor | undefined): void {
  const row = anchor && area.querySelector(`[data-entry="${CSS.escape(anchor.key)}"]`);
  if (row) area.scrollTop += topIn(area, row) - anchor.top;
}

function topIn(area: HTMLElement, row: Element): number {
  return row.getBoundingClientRect().top - area.getBoundingClientRect().top;
}
