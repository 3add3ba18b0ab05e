import { setImmediate as nextTurn } from 'node:timers/promises';
import { facetWord } from '../../core/search/facets.ts';
import { TEXTS_VERSION, textsOf } from '../../core/search/texts.ts';
import { type EventLog, eventOf, type StoredEvent } from '../../log/event-log.ts';
import { EMPTY_MARK, type IndexedText, type IndexMark } from '../../log/search/search-index.ts';
import type { SearchPage } from '../../protocol/search.ts';

/** Number of indexed events, and of all events in the log. */
export type IndexProgress = SearchPage['indexed'];

const FIRST_BATCH = 64;
const LARGEST_BATCH = 512;
/** Maximum number of events to read at once: their size is known only afterwards. */
const MAX_READ = 32;
const BATCH_BYTES = 256 * 1024;

/**
 * Indexes the log's texts, one batch at a time. Texts and mark are stored together, so a crash neither repeats nor
 * skips anything. A batch is stored only if the mark has not moved since it was read, so concurrent writers cannot add
 * a text twice.
 */
export function createIndexWriter(log: EventLog) {
  const { search } = log;
  let lastStep: Promise<unknown> = Promise.resolve();
  let batchLimit = FIRST_BATCH;
  let readLimit = MAX_READ;

  /** Indexes one batch at a time, also for concurrent callers. Returns the number of events in the batch. */
  function step(): Promise<number> {
    const next = lastStep.then(indexBatch, indexBatch);
    lastStep = next;
    return next;
  }

  async function indexBatch(): Promise<number> {
    const mark = await readValidMark();
    const rows = await readBatch(mark.position);
    const last = rows.at(-1);
    if (!last) return 0;
    batchLimit = LARGEST_BATCH;
    const nextMark: IndexMark = { position: last.position, hash: last.hash, version: TEXTS_VERSION };
    const texts = rows.flatMap(indexedTextsOf);
    if (sizeOf(rows) > BATCH_BYTES / 2) await nextTurn();
    await search.put(mark, nextMark, texts);
    return rows.length;
  }

  /** Events may be large, so a batch is limited in time and memory. */
  async function readBatch(position: number): Promise<readonly StoredEvent[]> {
    const batch: StoredEvent[] = [];
    let bytes = 0;
    for (;;) {
      const limit = readLimit;
      const rows = await log.readAll(batch.at(-1)?.position ?? position, limit);
      readLimit = Math.min(2 * limit, MAX_READ);
      for (const row of rows) {
        if (batch.length > 0 && bytes + row.body.length > BATCH_BYTES) {
          // The surplus rows are read again later, so read fewer next time.
          readLimit = Math.min(batch.length + 1, MAX_READ);
          return batch;
        }
        batch.push(row);
        bytes += row.body.length;
      }
      if (rows.length < limit || batch.length >= batchLimit) return batch;
    }
  }

  /** Clears an index of another log, or one whose texts were extracted by an earlier version. */
  async function readValidMark(): Promise<IndexMark> {
    const mark = await search.mark();
    if (mark.position === 0) return mark;
    const [row] = await log.readAll(mark.position - 1, 1);
    if (row?.hash === mark.hash && mark.version === TEXTS_VERSION) return mark;
    await search.clear();
    return EMPTY_MARK;
  }

  async function progress(): Promise<IndexProgress> {
    const { position } = await readValidMark();
    // Read second, so that the total is never less than the indexed events.
    return { events: position, total: await log.head() };
  }

  async function idle(): Promise<void> {
    await lastStep.catch(() => {});
  }

  return { step, progress, idle };
}

/** Rebuilds the index from the events alone (L14). */
export async function rebuildIndex(log: EventLog, onProgress?: (events: number, total: number) => void): Promise<void> {
  const writer = createIndexWriter(log);
  await log.search.clear();
  while ((await writer.step()) > 0) {
    const { events, total } = await writer.progress();
    onProgress?.(events, total);
    await nextTurn();
  }
}

function indexedTextsOf(row: StoredEvent): readonly IndexedText[] {
  const event = eventOf(row);
  const ts = Date.parse(event.ts) || 0;
  return textsOf(event).map(({ kind, text, from = event.from }, part) => ({
    position: row.position,
    part,
    ts,
    facets: [facetWord('kind', kind), facetWord('from', from), facetWord('thread', event.thread)],
    text,
  }));
}

function sizeOf(rows: readonly StoredEvent[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}
