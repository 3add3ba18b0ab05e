import type { WireEvent, WireEventPage } from '../../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../../src/protocol/cursor.ts';

/**
 * Answers a request for a page of events from those that are kept, sorted by seq, as the server would if the newest of
 * them were the newest of all. Undefined if one of the page is missing.
 */
export function answerEvents(kept: readonly WireEvent[], query: URLSearchParams): WireEventPage | undefined {
  const head = kept.at(-1)?.seq ?? 0;
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const before = query.get('before');
  const [first, last] = before === null ? afterCursor() : beforeCursor(before);
  if (first === undefined || last === undefined) return undefined;
  const events = kept.filter(({ seq }) => seq >= first && seq <= last);
  if (events.length !== Math.max(0, last - first + 1)) return undefined;
  const cursor = cursorOf('thread', events.at(-1)?.seq ?? head);
  return { events, cursor, head: cursorOf('thread', head) } as WireEventPage;

  function afterCursor(): readonly (number | undefined)[] {
    const after = seqOf(query.get('after') ?? undefined);
    return after === undefined ? [] : [after + 1, Math.min(after + limit, head)];
  }

  function beforeCursor(cursor: string): readonly (number | undefined)[] {
    const end = cursor === 'head' ? head : seqOf(cursor);
    return end === undefined ? [] : [Math.max(1, end - limit + 1), end];
  }
}

function seqOf(cursor: string | undefined): number | undefined {
  const seq = parseCursor('thread', cursor);
  return typeof seq === 'number' ? seq : undefined;
}
