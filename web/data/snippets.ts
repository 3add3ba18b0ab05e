import { useEffect } from 'react';
import type { ThreadRow, WireEvent, WireSnippet } from '../../src/client/index.ts';
import { excerptOf } from '../../src/core/text/excerpt.ts';
import { cursorOf } from '../../src/protocol/cursor.ts';
import { keepStore } from './kept/kept-page.ts';
import { client } from './session.ts';
import { sleep } from './sleep.ts';
import { coalesce, createStore, useStore } from './store.ts';

/** The newest text of a thread at a cursor; undefined if there is none. */
interface KnownSnippet {
  readonly cursor: string;
  readonly snippet: WireSnippet | undefined;
}

const MAX_THREADS = 64;
const MAX_CHARS = 160;
/** What a burst of events makes stale is read once. */
const PAUSE_MS = 500;
const known = createStore<ReadonlyMap<string, KnownSnippet>>(new Map());
keepStore('snippets', known);
let wantedRows: readonly ThreadRow[] = [];

/**
 * The newest texts of the threads that a list shows; null if a thread has none. They are read once, and again when
 * something else is newest.
 */
export function useSnippets(rows: readonly ThreadRow[]): (row: ThreadRow) => WireSnippet | undefined | null {
  const snippets = useStore(known);
  useEffect(() => {
    wantedRows = rows;
    if (rows.some(isStale)) void readSnippets();
  }, [rows]);
  return ({ id }) => {
    const entry = snippets.get(id);
    return entry && (entry.snippet ?? null);
  };
}

/** A message says itself what is newest. */
export function noteNewest(events: readonly WireEvent[]): void {
  const wanted = new Set(wantedRows.map(({ id }) => id));
  const messages = events.filter(({ type, content, thread }) => {
    return type === 'message' && typeof content === 'string' && wanted.has(thread);
  });
  if (messages.length === 0) return;
  const next = new Map(known.get());
  for (const { thread, seq, from, content } of messages)
    next.set(thread, {
      cursor: cursorOf('thread', seq),
      snippet: { by: from, text: excerptOf(content as string, MAX_CHARS) },
    });
  known.set(next);
}

function isStale({ id, last }: ThreadRow): boolean {
  return known.get().get(id)?.cursor !== last.cursor;
}

const readSnippets = coalesce(async () => {
  const rows = wantedRows.filter(isStale).slice(0, MAX_THREADS);
  if (rows.length === 0) return;
  const before = known.get();
  const answer = await client.snippets(rows.map(({ id }) => id)).catch(() => undefined); // The next change tries again.
  if (answer) {
    const next = new Map(known.get());
    // A message that came meanwhile is newer.
    for (const { id, last } of rows)
      if (known.get().get(id) === before.get(id)) next.set(id, { cursor: last.cursor, snippet: answer.snippets[id] });
    known.set(next);
  }
  await sleep(PAUSE_MS);
});
