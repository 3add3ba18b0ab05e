import type { StreamItem, StreamState, ThreadRow, WireEvent } from '../src/client/index.ts';
import { cursorOf, placeOf } from '../src/protocol/cursor.ts';
import { kept, whenKeptElsewhere } from './kept.ts';
import { client, session } from './session.ts';
import { shareStream } from './shared-stream.ts';
import { createStore } from './store.ts';
import { type Attention, attentionTo, NOTHING_NEW } from './threads/attention.ts';

export const rows = createStore<ReadonlyMap<string, ThreadRow> | undefined>(undefined);
export const attention = createStore<ReadonlyMap<string, Attention>>(new Map());
export const connection = createStore<StreamState>('connecting');

/** Older threads with something new are found when they are opened; the list asks for so many. */
const ASK_ABOUT = 30;
const firstVisit = kept.firstVisit();
const live = new Set<(item: StreamItem) => void>();
let stop: (() => void) | undefined;

/** Loads the list of threads and keeps it true from the stream. */
export async function openWorkspace(): Promise<void> {
  const { threads, head } = await client.threads.list();
  rows.set(new Map(threads.map((row) => [row.id, row])));
  stop?.();
  stop = shareStream({
    client,
    after: head,
    heard,
    state: connection.set,
    refused: ({ code }) => code === 'unauthenticated' && session.set({ phase: 'out' }),
  });
  await Promise.all(threads.filter(isUnseen).slice(0, ASK_ABOUT).map(countNews));
}

export function closeWorkspace(): void {
  stop?.();
  stop = undefined;
  rows.set(undefined);
  attention.set(new Map());
}

/** Everything the workspace's stream brings, for whoever needs more than the list. */
export function onStream(listener: (item: StreamItem) => void): () => void {
  live.add(listener);
  return () => void live.delete(listener);
}

/** The person has looked at a thread up to here. */
export function looked(thread: string, seq: number): void {
  const seen = kept.seen();
  if ((seen[thread] ?? 0) < seq) kept.keepSeen({ ...seen, [thread]: seq });
  if (attention.get().has(thread)) attention.set(without(thread));
}

/** Up to where the person had looked; undefined when nothing of it is news. */
export function seenUpTo(row: ThreadRow): number | undefined {
  return kept.seen()[row.id] ?? (row.created > firstVisit ? 0 : undefined);
}

export function addRow(row: ThreadRow): void {
  rows.set((before) => new Map(before).set(row.id, row));
}

function heard(item: StreamItem): void {
  for (const listener of [...live]) listener(item);
  if (!item.event) return;
  const { event } = item;
  const row = rows.get()?.get(event.thread);
  if (row) addRow({ ...row, last: { ts: event.ts, from: event.from, cursor: cursorOf('thread', event.seq) } });
  if (!row || changesRow(event, row)) void refresh(event.thread);
  noteNews(event);
}

function changesRow({ type }: WireEvent, { done }: ThreadRow): boolean {
  return type === 'message' ? done : type !== 'task' && type !== 'result';
}

async function refresh(thread: string): Promise<void> {
  try {
    addRow((await client.thread(thread).get()).thread);
  } catch {
    // The next event of the thread asks again.
  }
}

function noteNews(event: WireEvent): void {
  const now = session.get();
  if (now.phase !== 'in' || event.seq <= (kept.seen()[event.thread] ?? 0)) return;
  const before = attention.get().get(event.thread) ?? NOTHING_NEW;
  const after = attentionTo([event], now.me.participant, before);
  if (after !== before) attention.set((all) => new Map(all).set(event.thread, after));
}

function isUnseen(row: ThreadRow): boolean {
  const seen = seenUpTo(row);
  return seen !== undefined && Number(placeOf('thread', row.last.cursor)) > seen;
}

async function countNews(row: ThreadRow): Promise<void> {
  const now = session.get();
  if (now.phase !== 'in') return;
  try {
    const { events } = await client
      .thread(row.id)
      .events({ after: cursorOf('thread', seenUpTo(row) ?? 0), limit: 100 });
    const news = attentionTo(events, now.me.participant);
    if (news.news > 0) attention.set((all) => new Map(all).set(row.id, news));
  } catch {
    // What is new is shown in the thread itself as well.
  }
}

function without(thread: string): ReadonlyMap<string, Attention> {
  const rest = new Map(attention.get());
  rest.delete(thread);
  return rest;
}

whenKeptElsewhere((name) => {
  if (name !== 'seen') return;
  const seen = kept.seen();
  const still = [...attention.get()].filter(([thread]) => {
    const row = rows.get()?.get(thread);
    return !row || Number(placeOf('thread', row.last.cursor)) > (seen[thread] ?? 0);
  });
  if (still.length < attention.get().size) attention.set(new Map(still));
});
