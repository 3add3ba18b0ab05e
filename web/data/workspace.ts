import type { StreamItem, StreamState, ThreadRow, WireEvent, WireUsage } from '../../src/client/index.ts';
import { own } from '../../src/core/util/get-own.ts';
import { cursorOf, placeOf } from '../../src/protocol/cursor.ts';
import { needsOf } from '../inbox/needs.ts';
import { kept, whenKeptElsewhere } from './browser-storage.ts';
import { learnMarks, tellRead } from './read-marks.ts';
import { client, sentenceFor, session } from './session.ts';
import { shareStream } from './shared-stream.ts';
import { createStore, derived, oneAtATime } from './store.ts';
import { newsIn } from './unread.ts';

export const rows = createStore<ReadonlyMap<string, ThreadRow> | undefined>(undefined);
/** How much is new to the person, by thread. */
export const news = createStore<ReadonlyMap<string, number>>(new Map());
export const usage = createStore<WireUsage | undefined>(undefined);
/** The model that thinks unless another is named. */
export const thinker = createStore<string | undefined>(undefined);
const seen = createStore(kept.seen());
export const connection = createStore<StreamState>('connecting');

/** Older threads with something new are found when they are opened; the list asks for so many. */
const ASK_ABOUT = 30;
const firstVisit = kept.firstVisit();
const AGAIN_MS = 1_000;
/** Events come in bursts; the list is drawn once for each. */
const BURST_MS = 40;
/** What a thread tells of itself is asked for once, however much happened in it meanwhile. */
const ROWS_MS = 250;
const USAGE_MS = 5_000;
/** What models may have been asked for. */
const USED = /^(message|draft\.|iteration\.|mind\.|audit\.|generation\.|call\.)/;

/** What waits for this person, all over the workspace. */
export const needs = derived([rows, seen, usage, session], () => {
  const now = session.get();
  const me = now.phase === 'in' ? now.me.participant : '';
  return needsOf({ rows: rows.get()?.values() ?? [], me, seen: seenUpTo, usage: usage.get() });
});

let opened: { stop(): void } | undefined;

/** Loads the list of threads and keeps it true from the stream, however often either has to begin anew. */
export async function openWorkspace(): Promise<void> {
  closeWorkspace();
  const stops: (() => void)[] = [];
  const current = { stop: () => stops.forEach((stop) => void stop()) };
  opened = current;
  news.set(new Map());
  try {
    const [{ threads, head }] = await Promise.all([client.threads.list(), learnMarks()]);
    if (opened !== current) return;
    seen.set(kept.seen());
    rows.set(new Map(threads.map((row) => [row.id, row])));
    stops.push(whenKeptElsewhere('seen', lookedElsewhere));
    stops.push(
      shareStream({ client, after: head, heard: createListener(), state: connection.set, refused: beginAnew }),
    );
    void readUsage();
    await Promise.all(threads.filter(isUnseen).slice(0, ASK_ABOUT).map(countNews));
  } catch (error) {
    connection.set('waiting');
    if (opened === current) beginAnew(error);
  }
}

export function closeWorkspace(): void {
  opened?.stop();
  opened = undefined;
}

function beginAnew(error: unknown): void {
  sentenceFor(error);
  if (session.get().phase === 'in') setTimeout(() => opened && openWorkspace(), AGAIN_MS);
}

/** The person has looked at a thread up to here. */
export function looked(thread: string, seq: number): void {
  const before = kept.seen();
  if ((own(before, thread) ?? 0) < seq) {
    kept.keepSeen({ ...before, [thread]: seq });
    seen.set(kept.seen());
    tellRead(thread, seq);
  }
  if (news.get().has(thread)) news.set(without(thread));
}

/** Up to where the person had looked; undefined when nothing of it is news. */
function seenUpTo(row: ThreadRow): number | undefined {
  return own(seen.get(), row.id) ?? (row.created > firstVisit ? 0 : undefined);
}

export function addRow(row: ThreadRow): void {
  rows.set((before) => new Map(before).set(row.id, row));
}

/** Takes what the stream brings: each event once, many together. */
function createListener(): (item: StreamItem) => void {
  const last = new Map<string, number>();
  let burst: WireEvent[] = [];
  return ({ event }) => {
    if (!event || event.seq <= (last.get(event.thread) ?? 0)) return;
    last.set(event.thread, event.seq);
    if (burst.push(event) > 1) return;
    setTimeout(() => {
      const events = burst;
      burst = [];
      heard(events);
    }, BURST_MS);
  };
}

function heard(events: readonly WireEvent[]): void {
  const next = new Map(rows.get());
  const stale = new Set<string>();
  for (const event of events) {
    const row = next.get(event.thread);
    if (row)
      next.set(row.id, { ...row, last: { ts: event.ts, from: event.from, cursor: cursorOf('thread', event.seq) } });
    if (!row || changesRow(event, row)) stale.add(event.thread);
  }
  rows.set(next);
  for (const thread of stale) refreshSoon(thread, next.has(thread) ? ROWS_MS : 0);
  noteNews(events);
  if (events.some(({ type }) => USED.test(type))) void readUsage();
}

/** Words change the row of a thread that was done, or that asks for somebody, or where somebody who was asked answers. */
function changesRow({ type, from, to, content }: WireEvent, { done, wants }: ThreadRow): boolean {
  if (type !== 'message' && type !== 'task' && type !== 'result') return true;
  const isAsking = to !== 'all' || (typeof content === 'string' && content.includes('@'));
  return done || isAsking || Object.hasOwn(wants?.asked ?? {}, from);
}

const refreshing = new Set<string>();

function refreshSoon(thread: string, ms: number): void {
  if (refreshing.has(thread)) return;
  refreshing.add(thread);
  setTimeout(() => {
    refreshing.delete(thread);
    void refresh(thread);
  }, ms);
}

/** What models have used, not more often than every few seconds. */
const readUsage = oneAtATime(async () => {
  await client.models.usage().then(usage.set, () => {}); // The next use asks again.
  await new Promise((resolve) => setTimeout(resolve, USAGE_MS));
});

async function refresh(thread: string): Promise<void> {
  try {
    addRow((await client.thread(thread).get()).thread);
  } catch {
    // The next event of the thread asks again.
  }
}

function noteNews(events: readonly WireEvent[]): void {
  const now = session.get();
  if (now.phase !== 'in') return;
  const read = kept.seen();
  const all = new Map(news.get());
  for (const event of events.filter(({ seq, thread }) => seq > (own(read, thread) ?? 0))) {
    const count = newsIn([event], now.me.participant);
    if (count > 0) all.set(event.thread, (all.get(event.thread) ?? 0) + count);
  }
  if (all.size > 0) news.set(all);
}

function isUnseen(row: ThreadRow): boolean {
  const read = seenUpTo(row);
  return read !== undefined && Number(placeOf('thread', row.last.cursor)) > read;
}

async function countNews(row: ThreadRow): Promise<void> {
  const now = session.get();
  if (now.phase !== 'in') return;
  try {
    const { events } = await client
      .thread(row.id)
      .events({ after: cursorOf('thread', seenUpTo(row) ?? 0), limit: 100 });
    const count = newsIn(events, now.me.participant);
    if (count > 0) news.set((all) => new Map(all).set(row.id, count));
  } catch {
    // What is new is shown in the thread itself as well.
  }
}

function without(thread: string): ReadonlyMap<string, number> {
  const rest = new Map(news.get());
  rest.delete(thread);
  return rest;
}

/** What was looked at in another tab is not new here either. */
function lookedElsewhere(): void {
  const read = kept.seen();
  seen.set(read);
  const still = [...news.get()].filter(([thread]) => {
    const row = rows.get()?.get(thread);
    return !row || Number(placeOf('thread', row.last.cursor)) > (own(read, thread) ?? 0);
  });
  if (still.length < news.get().size) news.set(new Map(still));
}
