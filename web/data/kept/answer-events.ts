import type { WireEvent, WireEventPage } from '../../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../../src/protocol/cursor.ts';

/**
 * Answers a request for a page of events from those that are kept, sorted by seq, as the server would if the newest of
 * them were the newest of all. Undefined if the page is not kept.
 */
export function answerEvents(kept: readonly WireEvent[], query: URLSearchParams): WireEventPage | undefined {
  const head = kept.at(-1)?.seq ?? 0;
  const limit = Number(query.get('limit') ?? head);
  const before = query.get('before');
  const events = before === null ? eventsAfter(query.get('after') ?? '') : eventsUpTo(before);
  if (!events) return undefined;
  const cursor = cursorOf('thread', events.at(-1)?.seq ?? head);
  return { events, cursor, head: cursorOf('thread', head) } as WireEventPage;

  /** All of them: a fold with a gap would be wrong. */
  function eventsAfter(cursor: string): readonly WireEvent[] | undefined {
    const after = parseCursor('thread', cursor);
    if (typeof after !== 'number') return undefined;
    const events = kept.filter(({ seq }) => seq > after).slice(0, limit);
    return events.every(({ seq }, index) => seq === after + 1 + index) ? events : undefined;
  }

  /** As far back as there is no gap: a reader scrolls up to where it ends. */
  function eventsUpTo(cursor: string): readonly WireEvent[] | undefined {
    const end = cursor === 'head' ? head : parseCursor('thread', cursor);
    if (typeof end !== 'number') return undefined;
    const newestFirst = kept.filter(({ seq }) => seq <= end).reverse();
    const events = newestFirst.slice(0, limit).filter(({ seq }, index) => seq === end - index);
    return events.length > 0 || end === 0 ? events.reverse() : undefined;
  }
}
