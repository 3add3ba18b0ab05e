import type { Client, ThreadRow } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { parseCursor } from '../../src/protocol/cursor.ts';
import type { WorkContext } from '../ui/work-context.ts';
import { type ExportPassage, messagePassages, roundPassages, turnPassages } from './markdown.ts';

const PAGE_SIZE = 1000;
const ROUNDS_PER_PAGE = 200;

/** The readable passages of a thread, from its beginning to the head at the time of the call. */
export function readPassages(client: Client, { id, kind }: Pick<ThreadRow, 'id' | 'kind'>, context: WorkContext) {
  const { signal, onProgress } = context;
  const thread = client.thread(id);
  if (kind === 'dialogue') return readDialogue();
  return kind === 'exchange' ? readExchange() : readConversation();

  async function readConversation(): Promise<readonly ExportPassage[]> {
    const passages: ExportPassage[] = [];
    let end: number | undefined;
    for (let after: string | undefined; ; ) {
      const { events, cursor, head } = await thread.events({ after, limit: PAGE_SIZE, signal });
      passages.push(...messagePassages(events));
      end ??= Number(parseCursor('thread', head));
      const place = Number(parseCursor('thread', cursor));
      if (place >= end) return passages;
      reportProgress(place, end, 'events');
      after = cursor;
    }
  }

  async function readDialogue(): Promise<readonly ExportPassage[]> {
    const allTurns = await readPages('turns', async (before) => {
      const { turns } = await thread.dialogue.history({ before, limit: PAGE_SIZE, signal });
      return turns.map((item) => ({ number: item.turn, item }));
    });
    const { turn } = await thread.dialogue.status({ signal });
    return turnPassages(allTurns, turn && { text: turn.message, by: turn.by, ts: turn.ts });
  }

  /** Reads the rounds last, so that no round the messages refer to is missing. */
  async function readExchange(): Promise<readonly ExportPassage[]> {
    const entries = await readPages('entries', async (before) => {
      const { entries: page } = await thread.exchange.entries({ before, limit: PAGE_SIZE, signal });
      return page.map((item) => ({ number: item.entry, item }));
    });
    const rounds = await readPages('rounds', async (before) => {
      const { rounds: page } = await thread.exchange.rounds({ before, limit: ROUNDS_PER_PAGE, signal });
      return page.map((item) => ({ number: item.round, item }));
    });
    return roundPassages(rounds, entries);
  }

  /**
   * All items of a numbered list that the server pages newest first, returned oldest first. A page
   * may be shorter than its limit.
   */
  async function readPages<Item>(
    unit: string,
    readPage: (before: number | undefined) => Promise<readonly { readonly number: number; readonly item: Item }[]>,
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    let newest: number | undefined;
    for (let before: number | undefined; ; ) {
      const page = await readPage(before);
      for (const { item } of page) items.push(item);
      const oldest = page.at(-1)?.number ?? 1;
      if (oldest === 1) return items.reverse();
      newest ??= page[0]?.number ?? oldest;
      reportProgress(newest - oldest + 1, newest, unit);
      before = oldest;
    }
  }

  function reportProgress(done: number, total: number, unit: string): void {
    onProgress(`${formatNumber(done)} of ${formatNumber(total)} ${unit}`, done / total);
    signal.throwIfAborted();
  }
}
