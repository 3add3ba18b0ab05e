import type { ThreadRow, WireEvent, WireUsage } from '../../src/client/index.ts';
import { getOwn } from '../../src/core/util/get-own.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { needsOf } from '../inbox/needs.ts';
import { browserStorage, watchStorage } from './browser-storage.ts';
import { connection, listen, openConnection, type StreamListener } from './connection.ts';
import { keepPage, keepStore } from './kept/kept-page.ts';
import { currency } from './money.ts';
import { openPeople } from './people.tsx';
import { openPins } from './pins.ts';
import { loadReadMarks, queueReadMark } from './read-marks.ts';
import { client, describeError, session } from './session.ts';
import { sleep } from './sleep.ts';
import { noteNewest } from './snippets.ts';
import { coalesce, createStore, deriveStore } from './store.ts';
import { withoutArchived } from './thread-order.ts';
import { countUnread } from './unread.ts';
import { followWriting } from './writing.ts';

export const threadRows = createStore<ReadonlyMap<string, ThreadRow> | undefined>(undefined);
/** The number of unread events, by thread. */
export const unreadCounts = createStore<ReadonlyMap<string, number>>(new Map());
export const usage = createStore<WireUsage | undefined>(undefined);
const readMarks = createStore(browserStorage.readMarks());
const MAX_KEPT_ROWS = 1_000;
keepStore('rows', threadRows, (rows) => rows && newestRows(rows));
keepStore('unread', unreadCounts);
keepStore('usage', usage);

/** The list fetches unread counts for at most this many threads; older ones are checked when they are opened. */
const MAX_UNREAD_CHECKS = 30;
const firstVisit = browserStorage.firstVisit();
const RETRY_MS = 1_000;
/** Events come in bursts; the list is drawn once per burst. */
const BURST_MS = 40;
/** A thread's row is fetched once per interval, however many events arrive in it. */
const ROW_REFRESH_MS = 250;
const USAGE_MS = 5_000;
/** Events that may involve a model call; a person's own message does not. */
const USAGE_EVENTS = /^(message|draft\.|iteration\.|mind\.|audit\.|generation\.|call\.)/;

/** Everything in the workspace that waits for this person. */
export const needs = deriveStore([threadRows, readMarks, usage, session], () => {
  const me = currentParticipant() ?? '';
  return needsOf({ rows: withoutArchived([...(threadRows.get()?.values() ?? [])]), me, readUpTo, usage: usage.get() });
});

/** How many threads of each kind the lists have. */
export const kindCounts = deriveStore([threadRows], () => {
  const counts = new Map<string, number>();
  for (const row of withoutArchived([...(threadRows.get()?.values() ?? [])]))
    if (isListed(row)) counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
  return counts;
});

function newestRows(rows: ReadonlyMap<string, ThreadRow>): ReadonlyMap<string, ThreadRow> {
  if (rows.size <= MAX_KEPT_ROWS) return rows;
  const newestFirst = [...rows].sort(([, a], [, b]) => b.last.ts.localeCompare(a.last.ts));
  return new Map(newestFirst.slice(0, MAX_KEPT_ROWS));
}

/** A closed side channel is found in its parent. */
function isListed({ side_of, done }: ThreadRow): boolean {
  return !(side_of !== undefined && done);
}

function currentParticipant(): string | undefined {
  const current = session.get();
  return current.phase === 'in' ? current.me.participant : undefined;
}

let openSubscription: { stop(): void } | undefined;

/** Loads the list of threads and keeps it current from the stream. Survives restarts of either. */
export async function openWorkspace(): Promise<void> {
  closeWorkspace();
  const stops: (() => void)[] = [];
  const subscription = { stop: () => stops.forEach((stop) => void stop()) };
  openSubscription = subscription;
  unreadCounts.set(new Map());
  try {
    const [{ threads, head }] = await Promise.all([client.threads.list({ archived: 'true' }), loadReadMarks()]);
    if (openSubscription !== subscription) return;
    readMarks.set(browserStorage.readMarks());
    threadRows.set(new Map(threads.map((row) => [row.id, row])));
    stops.push(watchStorage('seen', syncReadMarks));
    stops.push(openPeople(), openPins(), followWriting(), listen({ onItem: createStreamListener() }), keepPage());
    stops.push(openConnection({ client, after: head, onRefusal: reopenLater }));
    void readUsage();
    await Promise.all(threads.filter(isUnread).slice(0, MAX_UNREAD_CHECKS).map(fetchUnreadCount));
  } catch (error) {
    connection.set('waiting');
    if (openSubscription === subscription) reopenLater(error);
  }
}

export function closeWorkspace(): void {
  openSubscription?.stop();
  openSubscription = undefined;
}

function reopenLater(error: unknown): void {
  describeError(error);
  if (session.get().phase === 'in') setTimeout(() => openSubscription && openWorkspace(), RETRY_MS);
}

/** Records that the person has read a thread up to this seq. */
export function markThreadRead(thread: string, seq: number): void {
  const marks = browserStorage.readMarks();
  if ((getOwn(marks, thread) ?? 0) < seq) {
    browserStorage.setReadMarks({ ...marks, [thread]: seq });
    readMarks.set(browserStorage.readMarks());
    queueReadMark(thread, seq);
  }
  if (unreadCounts.get().has(thread)) unreadCounts.set(countsWithout(thread));
}

/** Records that the person has read everything. */
export function markAllRead(): void {
  const marks = browserStorage.readMarks();
  const unread = [...(threadRows.get()?.values() ?? [])].filter(isUnread);
  const ends = unread.map(({ id, last }) => [id, Number(parseCursor('thread', last.cursor))] as const);
  browserStorage.setReadMarks({ ...marks, ...Object.fromEntries(ends) });
  readMarks.set(browserStorage.readMarks());
  for (const [thread, seq] of ends) queueReadMark(thread, seq);
  unreadCounts.set(new Map());
}

/** The seq the person had read up to; undefined when nothing in the thread counts as unread. */
function readUpTo(row: ThreadRow): number | undefined {
  return getOwn(readMarks.get(), row.id) ?? (row.created > firstVisit ? 0 : undefined);
}

export function addRow(row: ThreadRow): void {
  threadRows.set((previous) => new Map(previous).set(row.id, row));
}

/** Returns a stream listener that applies bursts of events together. */
function createStreamListener(): StreamListener['onItem'] {
  let burst: WireEvent[] = [];
  return ({ event }) => {
    if (!event || burst.push(event) > 1) return;
    setTimeout(() => {
      const events = burst;
      burst = [];
      applyEvents(events);
    }, BURST_MS);
  };
}

function applyEvents(events: readonly WireEvent[]): void {
  const next = new Map(threadRows.get());
  const stale = new Set<string>();
  for (const event of events) {
    const row = next.get(event.thread);
    if (row)
      next.set(row.id, { ...row, last: { ts: event.ts, from: event.from, cursor: cursorOf('thread', event.seq) } });
    if (!row || changesRow(event, row)) stale.add(event.thread);
  }
  noteNewest(events);
  threadRows.set(next);
  for (const thread of stale) refreshSoon(thread, next.has(thread) ? ROW_REFRESH_MS : 0);
  addUnread(events);
  const me = currentParticipant();
  if (events.some(({ type, from }) => USAGE_EVENTS.test(type) && !(type === 'message' && from === me)))
    void readUsage();
}

/**
 * A message, task or result changes the row if the thread was done or archived, if it addresses somebody, or if it
 * answers a request.
 */
function changesRow({ type, from, to, content }: WireEvent, { done, archived, wants }: ThreadRow): boolean {
  if (type !== 'message' && type !== 'task' && type !== 'result') return true;
  const isAddressed = to !== 'all' || (typeof content === 'string' && content.includes('@'));
  return done || archived || isAddressed || Object.hasOwn(wants?.asked ?? {}, from);
}

const pendingRefreshes = new Set<string>();

function refreshSoon(thread: string, ms: number): void {
  if (pendingRefreshes.has(thread)) return;
  pendingRefreshes.add(thread);
  setTimeout(() => {
    pendingRefreshes.delete(thread);
    void refresh(thread);
  }, ms);
}

export function setUsage(next: WireUsage): void {
  currency.set(next.currency);
  usage.set(next);
}

/** Loads model usage, at most once every few seconds. */
const readUsage = coalesce(async () => {
  await client.models.usage().then(setUsage, () => {}); // The next model call tries again.
  await sleep(USAGE_MS);
});

async function refresh(thread: string): Promise<void> {
  try {
    addRow((await client.thread(thread).get()).thread);
  } catch {
    // The next event of the thread tries again.
  }
}

function addUnread(events: readonly WireEvent[]): void {
  const me = currentParticipant();
  if (me === undefined) return;
  const marks = browserStorage.readMarks();
  const counts = new Map(unreadCounts.get());
  for (const event of events.filter(({ seq, thread }) => seq > (getOwn(marks, thread) ?? 0))) {
    const count = countUnread([event], me);
    if (count > 0) counts.set(event.thread, (counts.get(event.thread) ?? 0) + count);
  }
  if (counts.size > 0) unreadCounts.set(counts);
}

function isUnread(row: ThreadRow): boolean {
  const readSeq = readUpTo(row);
  return readSeq !== undefined && Number(parseCursor('thread', row.last.cursor)) > readSeq;
}

async function fetchUnreadCount(row: ThreadRow): Promise<void> {
  const me = currentParticipant();
  if (me === undefined) return;
  try {
    const { events } = await client
      .thread(row.id)
      .events({ after: cursorOf('thread', readUpTo(row) ?? 0), limit: 100 });
    // The person may have read the thread meanwhile.
    const unread = events.filter(({ seq }) => seq > (readUpTo(row) ?? 0));
    const count = countUnread(unread, me);
    if (count > 0) unreadCounts.set((counts) => new Map(counts).set(row.id, count));
  } catch {
    // The thread itself also shows what is new.
  }
}

function countsWithout(thread: string): ReadonlyMap<string, number> {
  const counts = new Map(unreadCounts.get());
  counts.delete(thread);
  return counts;
}

/** Events read in another tab count as read here too. */
function syncReadMarks(): void {
  const marks = browserStorage.readMarks();
  readMarks.set(marks);
  const remaining = [...unreadCounts.get()].filter(([thread]) => {
    const row = threadRows.get()?.get(thread);
    return !row || Number(parseCursor('thread', row.last.cursor)) > (getOwn(marks, thread) ?? 0);
  });
  if (remaining.length < unreadCounts.get().size) unreadCounts.set(new Map(remaining));
}
