import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { type State, saidSeqs } from '../../core/workspace.ts';
import type { Loaded } from '../../engine/states.ts';
import type { EventLog, Stored } from '../../log/event-log.ts';
import { wireOf } from '../../log/event-log.ts';
import { type CursorKind, cursorOf, placeOf } from '../../protocol/cursor.ts';

/** A stretch of a thread or of the workspace, by place: seq there, position here. */
export interface Scope {
  readonly kind: CursorKind;
  read(after: number, limit: number): Promise<readonly Stored[]>;
  head(): Promise<number>;
}

export interface Reading {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly rows: readonly Stored[];
  readonly cursor: number;
  readonly head: number;
}

/** Once so much text is read, the page ends: events may be large (L15). */
const PAGE_BYTES = 1024 * 1024;
const FIRST_CHUNK = 2;
const LARGEST_CHUNK = 32;

export function threadScope(log: EventLog, thread: string): Scope {
  return {
    kind: 'thread',
    read: (after, limit) => log.readThread(thread, after, limit),
    head: async () => (await log.lastOf(thread))?.seq ?? 0,
  };
}

/** What was said in a thread of any kind, beside the work of its kind: the newest of it, the oldest first. */
export async function saidIn(
  log: EventLog,
  thread: string,
  loaded: Pick<Loaded<State>, 'state' | 'seq'>,
): Promise<readonly Stored[]> {
  const seqs = saidSeqs(loaded.state, loaded.seq);
  let rows: readonly Stored[] = [];
  let bytes = 0;
  for (let end = seqs.length; end > 0 && bytes < PAGE_BYTES; ) {
    // What follows each other is read together.
    let start = end - 1;
    const most = rows.length === 0 ? FIRST_CHUNK : Math.min(chunkSize(rows.length, bytes), LARGEST_CHUNK);
    while (end - start < most && start > 0 && seqs[start - 1] === (seqs[start] as number) - 1) start--;
    const part = await log.readThread(thread, (seqs[start] as number) - 1, end - start);
    rows = [...part, ...rows];
    bytes += part.reduce((sum, { body }) => sum + body.length, 0);
    end = start;
  }
  return rows;
}

export function workspaceScope(log: EventLog): Scope {
  return { kind: 'workspace', read: log.readAll, head: log.head };
}

/** A cursor stands between events: `after` reads on behind it, `before` reads back in front of it. */
export async function readPage(scope: Scope, reading: Reading): Promise<EventPage | Refusal> {
  if (reading.after !== undefined && reading.before !== undefined) {
    return refuse('malformed', 'Send "after" or "before", not both.');
  }
  const head = await scope.head();
  const place = await placeIn(scope, reading.after ?? reading.before, head);
  if (isRefusal(place)) return place;
  if (reading.before !== undefined) return back(scope, place, head, reading.limit);
  const rows = await forward(scope, place, Math.min(reading.limit, head - place));
  return { rows, cursor: rows.length > 0 ? placeAt(scope, rows.at(-1) as Stored) : place, head };
}

/** Where a cursor of a request stands; beyond the head there is nothing it could have come from. */
export async function placeIn(scope: Scope, cursor: string | undefined, head: number): Promise<number | Refusal> {
  if (cursor === 'head') return head;
  const place = placeOf(scope.kind, cursor);
  if (isRefusal(place) || place <= head) return place;
  return refuse(
    'wrong_cursor',
    `"${cursor}" is beyond the end of this ${scope.kind}: it may come from another copy of it. Read without a cursor to start anew.`,
  );
}

export function pageText(scope: Scope, { rows, cursor, head }: EventPage): string {
  const events = rows.map(wireOf).join(',');
  return `{"events":[${events}],"cursor":"${cursorOf(scope.kind, cursor)}","head":"${cursorOf(scope.kind, head)}"}`;
}

/** In chunks that grow while events are small, so that a page of large ones does not fill the memory. */
async function forward(scope: Scope, from: number, limit: number): Promise<readonly Stored[]> {
  const rows: Stored[] = [];
  let bytes = 0;
  let place = from;
  while (rows.length < limit && bytes < PAGE_BYTES) {
    const chunk = Math.min(chunkSize(rows.length, bytes), limit - rows.length);
    const read = await scope.read(place, chunk);
    for (const row of read) {
      bytes += row.body.length;
      rows.push(row);
    }
    if (read.length < chunk) break;
    place = placeAt(scope, rows.at(-1) as Stored);
  }
  return rows;
}

/** Places are gapless, so the newest N in front of one are found by counting. */
async function back(scope: Scope, place: number, head: number, limit: number): Promise<EventPage> {
  const chunks: (readonly Stored[])[] = [];
  let count = 0;
  let bytes = 0;
  let end = place;
  while (end > 0 && count < limit && bytes < PAGE_BYTES) {
    const chunk = Math.min(chunkSize(count, bytes), limit - count, end);
    const rows = await scope.read(end - chunk, chunk);
    chunks.unshift(rows);
    count += rows.length;
    end -= chunk;
    for (const row of rows) bytes += row.body.length;
  }
  return { rows: chunks.flat(), cursor: end, head };
}

function chunkSize(count: number, bytes: number): number {
  if (count === 0) return FIRST_CHUNK;
  return Math.max(1, Math.min(count * 8, Math.ceil((PAGE_BYTES - bytes) / (bytes / count))));
}

function placeAt(scope: Scope, row: Stored): number {
  return scope.kind === 'thread' ? row.seq : row.position;
}
