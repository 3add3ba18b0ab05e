import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { conversationSeqs, type State } from '../../core/workspace.ts';
import type { LoadedState } from '../../engine/states.ts';
import { newestVersionsOf } from '../../engine/versions.ts';
import type { EventLog, StoredEvent } from '../../log/event-log.ts';
import { eventOf, wireTextOf } from '../../log/event-log.ts';
import { type CursorKind, cursorOf, parseCursor } from '../../protocol/cursor.ts';

/** A range of a thread (by seq) or of the workspace (by position). */
export interface EventScope {
  readonly kind: CursorKind;
  read(after: number, limit: number): Promise<readonly StoredEvent[]>;
  head(): Promise<number>;
}

export interface PageQuery {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly rows: readonly StoredEvent[];
  readonly cursor: number;
  readonly head: number;
}

/** A page ends after this much text, as events may be large (L15). */
const PAGE_BYTES = 1024 * 1024;
const FIRST_CHUNK = 2;
const LARGEST_CHUNK = 32;

export function threadScope(log: EventLog, thread: string): EventScope {
  return {
    kind: 'thread',
    read: (after, limit) => log.readThread(thread, after, limit),
    head: async () => (await log.lastOf(thread))?.seq ?? 0,
  };
}

/** The newest messages of a thread of any kind, oldest first, without the work specific to its kind. */
export async function readConversation(
  log: EventLog,
  thread: string,
  loaded: Pick<LoadedState<State>, 'state' | 'seq'>,
): Promise<readonly StoredEvent[]> {
  const seqs = conversationSeqs(loaded.state, loaded.seq);
  let rows: readonly StoredEvent[] = [];
  let bytes = 0;
  for (let end = seqs.length; end > 0 && bytes < PAGE_BYTES; ) {
    // Read consecutive events together.
    let start = end - 1;
    const chunkLimit = rows.length === 0 ? FIRST_CHUNK : Math.min(chunkSize(rows.length, bytes), LARGEST_CHUNK);
    while (end - start < chunkLimit && start > 0 && seqs[start - 1] === (seqs[start] as number) - 1) start--;
    const chunk = await log.readThread(thread, (seqs[start] as number) - 1, end - start);
    rows = [...chunk, ...rows];
    bytes += chunk.reduce((sum, { body }) => sum + body.length, 0);
    end = start;
  }
  return rows;
}

export function workspaceScope(log: EventLog): EventScope {
  return { kind: 'workspace', read: log.readAll, head: log.head };
}

/** Reads a page. A cursor stands between two events: `after` reads forward from it, `before` backward. */
export async function readPage(scope: EventScope, query: PageQuery): Promise<EventPage | Refusal> {
  if (query.after !== undefined && query.before !== undefined) {
    return refuse('malformed', 'Send "after" or "before", not both.');
  }
  const head = await scope.head();
  const place = await resolveCursor(scope, query.after ?? query.before, head);
  if (isRefusal(place)) return place;
  if (query.before !== undefined) return readBackward(scope, place, head, query.limit);
  const rows = await readForward(scope, place, Math.min(query.limit, head - place));
  return { rows, cursor: rows.length > 0 ? placeOfRow(scope, rows.at(-1) as StoredEvent) : place, head };
}

/** Resolves a request's cursor to a place. A cursor beyond the head cannot have come from here. */
export async function resolveCursor(
  scope: EventScope,
  cursor: string | undefined,
  head: number,
): Promise<number | Refusal> {
  if (cursor === 'head') return head;
  const place = parseCursor(scope.kind, cursor);
  if (isRefusal(place) || place <= head) return place;
  return refuse(
    'wrong_cursor',
    `"${cursor}" points past the end of this ${scope.kind}; it may come from another copy. Read without a cursor to start over.`,
  );
}

/** Events in wire format, messages with the newest version that their authors gave them (T35). */
export async function wireTexts(
  log: EventLog,
  rows: readonly StoredEvent[],
  thread?: ThreadState,
): Promise<readonly string[]> {
  if (!thread?.edits) return rows.map(wireTextOf);
  const versions = await newestVersionsOf(log, thread, rows.map(eventOf));
  return rows.map((row) => {
    const edited = versions.get(row.id);
    const text = wireTextOf(row);
    return edited ? `${text.slice(0, -1)},"edited":${JSON.stringify(edited)}}` : text;
  });
}

export function pageText(scope: EventScope, { cursor, head }: EventPage, texts: readonly string[]): string {
  const events = texts.join(',');
  return `{"events":[${events}],"cursor":"${cursorOf(scope.kind, cursor)}","head":"${cursorOf(scope.kind, head)}"}`;
}

/** Reads in chunks that grow while events are small, so that a page of large events does not fill the memory. */
async function readForward(scope: EventScope, from: number, limit: number): Promise<readonly StoredEvent[]> {
  const rows: StoredEvent[] = [];
  let bytes = 0;
  let place = from;
  while (rows.length < limit && bytes < PAGE_BYTES) {
    const size = Math.min(chunkSize(rows.length, bytes), limit - rows.length);
    const chunkRows = await scope.read(place, size);
    for (const row of chunkRows) {
      bytes += row.body.length;
      rows.push(row);
    }
    if (chunkRows.length < size) break;
    place = placeOfRow(scope, rows.at(-1) as StoredEvent);
  }
  return rows;
}

/** Places have no gaps, so counting back finds the newest N events before one. */
async function readBackward(scope: EventScope, place: number, head: number, limit: number): Promise<EventPage> {
  const chunks: (readonly StoredEvent[])[] = [];
  let count = 0;
  let bytes = 0;
  let end = place;
  while (end > 0 && count < limit && bytes < PAGE_BYTES) {
    const size = Math.min(chunkSize(count, bytes), limit - count, end);
    const rows = await scope.read(end - size, size);
    chunks.unshift(rows);
    count += rows.length;
    end -= size;
    for (const row of rows) bytes += row.body.length;
  }
  return { rows: chunks.flat(), cursor: end, head };
}

function chunkSize(count: number, bytes: number): number {
  if (count === 0) return FIRST_CHUNK;
  return Math.max(1, Math.min(count * 8, Math.ceil((PAGE_BYTES - bytes) / (bytes / count))));
}

function placeOfRow(scope: EventScope, row: StoredEvent): number {
  return scope.kind === 'thread' ? row.seq : row.position;
}
