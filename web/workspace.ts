import type { StreamItem, StreamState, ThreadRow, WireEvent } from '../src/client/index.ts';
import { cursorOf, placeOf } from '../src/protocol/cursor.ts';
import { kept, whenKeptElsewhere } from './kept.ts';
import { learnMarks, tellRead } from './read-marks.ts';
import { client, sentenceFor, session } from './session.ts';
import { shareStream } from './shared-stream.ts';
import { createStore } from './store.ts';
import { type Attention, attentionTo } from './threads/attention.ts';

export const rows = createStore<ReadonlyMap<string, ThreadRow> | undefined>(undefined);
export const attention = createStore<ReadonlyMap<string, Attention>>(new Map());
export const connection = createStore<StreamState>('connecting');

/** Older threads with something new are found when they are opened; the list asks for so many. */
const ASK_ABOUT = 30;
const firstVisit = kept.firstVisit();
const AGAIN_MS = 1_000;
/** Events come in bursts; the list is drawn once for each. */
const BURST_MS = 40;
let opened: { stop(): void } | undefined;

/** Loads the list of threads and keeps it true from the stream, however often either has to begin anew. */
export async function openWorkspace(): Promise<void> {
  closeWorkspace();
  const stops: (() => void)[] = [];
  const current = { stop: () => stops.forEach((stop) => void stop()) };
  opened = current;
  attention.set(new Map());
  try {
    const [{ threads, head }] = await Promise.all([client.threads.list(), learnMarks()]);
    if (opened !== current) return;
    rows.set(new Map(threads.map((row) => [row.id, row])));
    stops.push(whenKeptElsewhere('seen', lookedElsewhere));
    stops.push(
      shareStream({ client, after: head, heard: createListener(), state: connection.set, refused: beginAnew }),
    );
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
  const seen = kept.seen();
  if ((seen[thread] ?? 0) < seq) {
    kept.keepSeen({ ...seen, [thread]: seq });
    tellRead(thread, seq);
  }
  if (attention.get().has(thread)) attention.set(without(thread));
}

/** Up to where the person had looked; undefined when nothing of it is news. */
function seenUpTo(row: ThreadRow): number | undefined {
  return kept.seen()[row.id] ?? (row.created > firstVisit ? 0 : undefined);
}

/** Dialogues and exchanges that want somebody to look (D14, X8). */
export function wantingYou(all: ReadonlyMap<string, ThreadRow>): readonly { row: ThreadRow; needsYou: string }[] {
  const wants = ({ about }: ThreadRow) => (about as { attention?: string } | undefined)?.attention === 'needs_you';
  return [...all.values()].filter(wants).map((row) => ({
    row,
    needsYou: row.kind === 'exchange' ? 'the pool waits for you' : 'the mind waits for you',
  }));
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
  for (const thread of stale) void refresh(thread);
  noteNews(events);
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

function noteNews(events: readonly WireEvent[]): void {
  const now = session.get();
  if (now.phase !== 'in') return;
  const seen = kept.seen();
  const all = new Map(attention.get());
  for (const event of events.filter(({ seq, thread }) => seq > (seen[thread] ?? 0))) {
    const after = attentionTo([event], now.me.participant, all.get(event.thread));
    if (after.news > 0) all.set(event.thread, after);
  }
  if (all.size > 0) attention.set(all);
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

/** What was looked at in another tab is not new here either. */
function lookedElsewhere(): void {
  const seen = kept.seen();
  const still = [...attention.get()].filter(([thread]) => {
    const row = rows.get()?.get(thread);
    return !row || Number(placeOf('thread', row.last.cursor)) > (seen[thread] ?? 0);
  });
  if (still.length < attention.get().size) attention.set(new Map(still));
}
