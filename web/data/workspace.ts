import type { StreamItem, StreamState, ThreadRow, WireEvent, WireUsage } from '../../src/client/index.ts';
import { getOwn } from '../../src/core/util/get-own.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { needsOf } from '../inbox/needs.ts';
import { browserStorage, watchStorage } from './browser-storage.ts';
import { loadReadMarks, queueReadMark } from './read-marks.ts';
import { client, describeError, session } from './session.ts';
import { shareStream } from './shared-stream.ts';
import { coalesce, createStore, deriveStore } from './store.ts';
import { countUnread } from './unread.ts';

export const threadRows = createStore<ReadonlyMap<string, ThreadRow> | undefined>(undefined);
/** How much is new to the person, by thread. */
export const unreadCounts = createStore<ReadonlyMap<string, number>>(new Map());
export const usage = createStore<WireUsage | undefined>(undefined);
/** The model that thinks unless another is named. */
export const mindModel = createStore<string | undefined>(undefined);
const readMarks = createStore(browserStorage.readMarks());
export const connection = createStore<StreamState>('connecting');

/** Older threads with something new are found when they are opened; the list asks for so many. */
const MAX_UNREAD_CHECKS = 30;
const firstVisit = browserStorage.firstVisit();
const RETRY_MS = 1_000;
/** Events come in bursts; the list is drawn once for each. */
const BURST_MS = 40;
/** What a thread tells of itself is asked for once, however much happened in it meanwhile. */
const ROW_REFRESH_MS = 250;
const USAGE_MS = 5_000;
/** What models may have been asked for. */
const USAGE_EVENTS = /^(message|draft\.|iteration\.|mind\.|audit\.|generation\.|call\.)/;

/** What waits for this person, all over the workspace. */
export const needs = deriveStore([threadRows, readMarks, usage, session], () => {
  const currentSession = session.get();
  const me = currentSession.phase === 'in' ? currentSession.me.participant : '';
  return needsOf({ rows: threadRows.get()?.values() ?? [], me, readUpTo: readUpTo, usage: usage.get() });
});

let openSubscription: { stop(): void } | undefined;

/** Loads the list of threads and keeps it true from the stream, however often either has to begin anew. */
export async function openWorkspace(): Promise<void> {
  closeWorkspace();
  const stops: (() => void)[] = [];
  const subscription = { stop: () => stops.forEach((stop) => void stop()) };
  openSubscription = subscription;
  unreadCounts.set(new Map());
  try {
    const [{ threads, head }] = await Promise.all([client.threads.list(), loadReadMarks()]);
    if (openSubscription !== subscription) return;
    readMarks.set(browserStorage.readMarks());
    threadRows.set(new Map(threads.map((row) => [row.id, row])));
    stops.push(watchStorage('seen', syncReadMarks));
    stops.push(
      shareStream({
        client,
        after: head,
        onItem: createStreamListener(),
        onStateChange: connection.set,
        onRefusal: reopenLater,
      }),
    );
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

/** The person has looked at a thread up to here. */
export function markThreadRead(thread: string, seq: number): void {
  const marks = browserStorage.readMarks();
  if ((getOwn(marks, thread) ?? 0) < seq) {
    browserStorage.setReadMarks({ ...marks, [thread]: seq });
    readMarks.set(browserStorage.readMarks());
    queueReadMark(thread, seq);
  }
  if (unreadCounts.get().has(thread)) unreadCounts.set(countsWithout(thread));
}

/** Up to where the person had looked; undefined when nothing of it is news. */
function readUpTo(row: ThreadRow): number | undefined {
  return getOwn(readMarks.get(), row.id) ?? (row.created > firstVisit ? 0 : undefined);
}

export function addRow(row: ThreadRow): void {
  threadRows.set((previous) => new Map(previous).set(row.id, row));
}

/** Takes what the stream brings: each event once, many together. */
function createStreamListener(): (item: StreamItem) => void {
  const lastSeqs = new Map<string, number>();
  let burst: WireEvent[] = [];
  return ({ event }) => {
    if (!event || event.seq <= (lastSeqs.get(event.thread) ?? 0)) return;
    lastSeqs.set(event.thread, event.seq);
    if (burst.push(event) > 1) return;
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
  threadRows.set(next);
  for (const thread of stale) refreshSoon(thread, next.has(thread) ? ROW_REFRESH_MS : 0);
  addUnread(events);
  if (events.some(({ type }) => USAGE_EVENTS.test(type))) void readUsage();
}

/** Words change the row of a thread that was done, or that asks for somebody, or where somebody who was asked answers. */
function changesRow({ type, from, to, content }: WireEvent, { done, wants }: ThreadRow): boolean {
  if (type !== 'message' && type !== 'task' && type !== 'result') return true;
  const isAddressed = to !== 'all' || (typeof content === 'string' && content.includes('@'));
  return done || isAddressed || Object.hasOwn(wants?.asked ?? {}, from);
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

/** What models have used, not more often than every few seconds. */
const readUsage = coalesce(async () => {
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

function addUnread(events: readonly WireEvent[]): void {
  const currentSession = session.get();
  if (currentSession.phase !== 'in') return;
  const marks = browserStorage.readMarks();
  const counts = new Map(unreadCounts.get());
  for (const event of events.filter(({ seq, thread }) => seq > (getOwn(marks, thread) ?? 0))) {
    const count = countUnread([event], currentSession.me.participant);
    if (count > 0) counts.set(event.thread, (counts.get(event.thread) ?? 0) + count);
  }
  if (counts.size > 0) unreadCounts.set(counts);
}

function isUnread(row: ThreadRow): boolean {
  const readSeq = readUpTo(row);
  return readSeq !== undefined && Number(parseCursor('thread', row.last.cursor)) > readSeq;
}

async function fetchUnreadCount(row: ThreadRow): Promise<void> {
  const currentSession = session.get();
  if (currentSession.phase !== 'in') return;
  try {
    const { events } = await client
      .thread(row.id)
      .events({ after: cursorOf('thread', readUpTo(row) ?? 0), limit: 100 });
    const count = countUnread(events, currentSession.me.participant);
    if (count > 0) unreadCounts.set((counts) => new Map(counts).set(row.id, count));
  } catch {
    // What is new is shown in the thread itself as well.
  }
}

function countsWithout(thread: string): ReadonlyMap<string, number> {
  const counts = new Map(unreadCounts.get());
  counts.delete(thread);
  return counts;
}

/** What was looked at in another tab is not new here either. */
function syncReadMarks(): void {
  const marks = browserStorage.readMarks();
  readMarks.set(marks);
  const remaining = [...unreadCounts.get()].filter(([thread]) => {
    const row = threadRows.get()?.get(thread);
    return !row || Number(parseCursor('thread', row.last.cursor)) > (getOwn(marks, thread) ?? 0);
  });
  if (remaining.length < unreadCounts.get().size) unreadCounts.set(new Map(remaining));
}
