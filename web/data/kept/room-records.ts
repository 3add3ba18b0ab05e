import type { WireEvent, WireEventPage } from '../../../src/client/index.ts';
import { type KeptStores, type KeptText, ofThread, readKept, writeKept } from './database.ts';

/** The rooms opened last are kept, up to these limits. */
export const MAX_ROOMS = 20;
const MAX_ROOM_BYTES = 8_000_000;
const MAX_BYTES = 40_000_000;
/** Begins the names of texts with events, which no view is called. */
const EVENTS = '#events';

/** What a room last showed. */
export interface RoomContent {
  readonly at: number;
  readonly answers: ReadonlyMap<string, string>;
  /** By seq; some may be missing. */
  readonly events: readonly WireEvent[];
}

/** What came from the server and is not written yet. */
export interface RoomPart {
  /** Takes the place of what was kept before, which may be of another log. */
  readonly isWhole: boolean;
  readonly answers: Map<string, string>;
  /** Pages of events, as text. */
  readonly pages: string[];
  readonly events: WireEvent[];
}

let partCount = 0;

export function emptyPart(isWhole: boolean): RoomPart {
  return { isWhole, answers: new Map(), pages: [], events: [] };
}

export function readRoom(id: string): Promise<RoomContent | undefined> {
  return readKept(async ({ rooms, texts }) => {
    const room = await rooms.get(id);
    if (!room) return undefined;
    const all = await texts.getAll(ofThread(id));
    const answers = all.filter(({ name }) => !name.startsWith(EVENTS)).map(({ name, text }) => [name, text] as const);
    const pages = all
      .filter(({ name }) => name.startsWith(EVENTS))
      .map(({ text }) => JSON.parse(text) as WireEventPage);
    const bySeq = new Map(pages.flatMap(({ events }) => events.map((event) => [event.seq, event] as const)));
    const events = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    return { at: room.at, answers: new Map(answers), events };
  });
}

/** Texts are stored as they came: nothing is parsed while the page is used. */
export async function writeRoom(id: string, { isWhole, answers, pages, events }: RoomPart): Promise<void> {
  const eventTexts = events.length > 0 ? [...pages, JSON.stringify({ events })] : pages;
  const added: KeptText[] = [
    ...[...answers].map(([name, text]) => ({ thread: id, name, text })),
    ...eventTexts.map((text) => ({ thread: id, name: `${EVENTS}.${Date.now()}.${++partCount}`, text })),
  ];
  const addedBytes = added.reduce((sum, { text }) => sum + text.length, 0);
  await writeKept(async (stores) => {
    const before = isWhole ? undefined : await stores.rooms.get(id);
    if (!isWhole && !before) return; // It is not among those kept any more.
    const bytes = (before?.bytes ?? 0) + addedBytes;
    if (isWhole || bytes > MAX_ROOM_BYTES) await removeRoom(stores, id);
    if (bytes > MAX_ROOM_BYTES) return;
    for (const text of added) await stores.texts.put(text);
    await stores.rooms.put({ id, at: Date.now(), bytes });
    await removeOldest(stores);
  });
}

async function removeOldest(stores: KeptStores): Promise<void> {
  const newestFirst = [...(await stores.rooms.getAll())].sort((a, b) => b.at - a.at);
  let total = 0;
  for (const [index, { id, bytes }] of newestFirst.entries()) {
    total += bytes;
    if (index >= MAX_ROOMS || total > MAX_BYTES) await removeRoom(stores, id);
  }
}

async function removeRoom({ rooms, texts }: KeptStores, id: string): Promise<void> {
  await rooms.delete(id);
  await texts.delete(ofThread(id));
}
