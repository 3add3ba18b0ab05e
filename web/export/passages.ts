import type { Http } from '../../src/client/http.ts';
import type { ThreadRow } from '../../src/client/index.ts';
import { placeOf } from '../../src/protocol/cursor.ts';
import { numeral } from '../ui/numeral.ts';
import type { UnderWay } from '../ui/work-context.ts';
import { messagesIn, type Part, roundsIn, turnsIn } from './markdown.ts';

const PAGE = 1000;
const ROUNDS = 200;

/** What is read in a thread, from its beginning to where its end was when this began. */
export function partsOf({ call }: Http, { id: thread, kind }: Pick<ThreadRow, 'id' | 'kind'>, under: UnderWay) {
  const { signal, tell } = under;
  const params = { thread };
  if (kind === 'dialogue') return ofDialogue();
  return kind === 'exchange' ? ofExchange() : ofConversation();

  async function ofConversation(): Promise<readonly Part[]> {
    const parts: Part[] = [];
    let end: number | undefined;
    for (let after = ''; ; ) {
      const query = { limit: PAGE, ...(after && { after }) };
      const { events, cursor, head } = await call('GET /api/threads/:thread/events', { params, query, signal });
      parts.push(...messagesIn(events));
      end ??= Number(placeOf('thread', head));
      const place = Number(placeOf('thread', cursor));
      if (place >= end) return parts;
      told(place, end, 'events');
      after = cursor;
    }
  }

  async function ofDialogue(): Promise<readonly Part[]> {
    const all = await pages('turns', async (before) => {
      const query = { limit: PAGE, ...before };
      const { turns } = await call('GET /api/threads/:thread/history', { params, query, signal });
      return turns.map((item) => ({ number: item.turn, item }));
    });
    const { turn } = await call('GET /api/threads/:thread/status', { params, signal });
    return turnsIn(all, turn && { text: turn.message, by: turn.by, ts: turn.ts });
  }

  /** The rounds last: then none of those that were spoken about is missing. */
  async function ofExchange(): Promise<readonly Part[]> {
    const entries = await pages('entries', async (before) => {
      const query = { limit: PAGE, ...before };
      const { entries: page } = await call('GET /api/threads/:thread/entries', { params, query, signal });
      return page.map((item) => ({ number: item.entry, item }));
    });
    const rounds = await pages('rounds', async (before) => {
      const query = { limit: ROUNDS, ...before };
      const { rounds: page } = await call('GET /api/threads/:thread/rounds', { params, query, signal });
      return page.map((item) => ({ number: item.round, item }));
    });
    return roundsIn(rounds, entries);
  }

  /** All of what the server tells by number and newest first, oldest first. A page may be shorter than was asked for. */
  async function pages<Item>(
    what: string,
    read: (before: { before?: number }) => Promise<readonly { readonly number: number; readonly item: Item }[]>,
  ): Promise<readonly Item[]> {
    const all: Item[] = [];
    let newest: number | undefined;
    for (let before = {}; ; ) {
      const page = await read(before);
      for (const { item } of page) all.push(item);
      const oldest = page.at(-1)?.number ?? 1;
      if (oldest === 1) return all.reverse();
      newest ??= page[0]?.number ?? oldest;
      told(newest - oldest + 1, newest, what);
      before = { before: oldest };
    }
  }

  function told(done: number, total: number, what: string): void {
    tell(`${numeral(done)} of ${numeral(total)} ${what}`, done / total);
    signal.throwIfAborted();
  }
}
