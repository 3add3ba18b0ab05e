import { createHttp } from '../src/client/http.ts';
import type { LoomExportFormat, ThreadRow } from '../src/client/index.ts';
import { messagesIn, type Part, roundsIn, textOf, turnsIn } from './export-text.ts';
import { client } from './session.ts';

const { call } = createHttp({ url: '' });
const PAGE = 1000;
const ROUNDS = 200;

/** A thread as a file: all of it as JSON Lines, which another workspace takes in, or what is read in it as Markdown. */
export async function exportThread(row: ThreadRow, format: LoomExportFormat): Promise<void> {
  if (format === 'markdown' && row.kind !== 'loom') {
    const parts = await partsOf(row);
    return save(new Blob([textOf(row.title, parts)], { type: 'text/markdown' }), `${nameOf(row.title)}.md`);
  }
  const response = await client.thread(row.id).loom.export({ format });
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  save(await response.blob(), name ?? `${nameOf(row.title)}.${format}`);
}

function partsOf({ id, kind }: ThreadRow): Promise<readonly Part[]> {
  if (kind === 'dialogue') return ofDialogue(id);
  return kind === 'exchange' ? ofExchange(id) : ofConversation(id);
}

async function ofConversation(thread: string): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (let after = ''; ; ) {
    const { events, cursor } = await client.thread(thread).events({ limit: PAGE, ...(after && { after }) });
    parts.push(...messagesIn(events));
    if (events.length < PAGE || cursor === after) return parts;
    after = cursor;
  }
}

async function ofDialogue(thread: string): Promise<readonly Part[]> {
  const all = await pages(async (before) => {
    const query = { limit: PAGE, ...(before && { before }) };
    const { turns } = await call('GET /api/threads/:thread/history', { params: { thread }, query });
    return { items: turns, next: turns.length < PAGE ? undefined : turns.at(-1)?.turn };
  });
  const { turn } = await call('GET /api/threads/:thread/status', { params: { thread } });
  return turnsIn(all.reverse(), turn && { text: turn.message, by: turn.by, ts: turn.ts });
}

async function ofExchange(thread: string): Promise<readonly Part[]> {
  const params = { thread };
  const rounds = await pages(async (before) => {
    const query = { limit: ROUNDS, ...(before && { before }) };
    const { rounds: items } = await call('GET /api/threads/:thread/rounds', { params, query });
    return { items, next: items.length < ROUNDS ? undefined : items.at(-1)?.round };
  });
  const { entries } = await call('GET /api/threads/:thread/entries', { params, query: { limit: PAGE } });
  return roundsIn(rounds.reverse(), [...entries].reverse());
}

/** Newest first, as the server tells them. */
async function pages<Item>(
  read: (before: number | undefined) => Promise<{ readonly items: readonly Item[]; readonly next: number | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let before: number | undefined; ; ) {
    const { items, next } = await read(before);
    all.push(...items);
    if (next === undefined) return all;
    before = next;
  }
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A title as a file may be called. */
function nameOf(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'thread'
  );
}
