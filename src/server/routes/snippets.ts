import { textsOf } from '../../core/search/texts.ts';
import { excerptOf } from '../../core/text/excerpt.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import type { WireSnippet } from '../../protocol/snippets.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { isId, type RouteContext } from './context.ts';

/** Behind so many events without a text there may be one, which nobody waits for. */
const MAX_EVENTS = 24;
const MAX_THREADS = 64;
const MAX_CHARS = 160;

export function snippetHandlers({ engine }: RouteContext) {
  return {
    async 'GET /api/snippets'({ query }) {
      const ids = [...new Set(query.threads.split(','))].filter(isId).slice(0, MAX_THREADS);
      const found = await Promise.all(ids.map(async (id) => [id, await newestText(engine.log, id)] as const));
      return JSON.stringify({ snippets: Object.fromEntries(found.filter(([, snippet]) => snippet)) });
    },
  } satisfies Partial<RouteHandlers>;
}

/** Reads backwards, one event at a time, as the newest is nearly always a text, and events may be large. */
async function newestText(log: EventLog, thread: string): Promise<WireSnippet | undefined> {
  let row = await log.lastOf(thread);
  for (let count = 0; row && count < MAX_EVENTS; count++) {
    const event = eventOf(row);
    const text = textsOf(event).findLast(({ kind }) => kind !== 'title' && kind !== 'terms');
    if (text) return { by: text.from ?? event.from, text: excerptOf(text.text, MAX_CHARS) };
    row = row.seq > 1 ? await log.lastOf(thread, row.seq - 1) : undefined;
  }
  return undefined;
}
