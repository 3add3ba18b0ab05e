import { setImmediate as nextTurn } from 'node:timers/promises';
import { facetWord } from '../../core/search/facets.ts';
import { TEXTS_VERSION, textsOf } from '../../core/search/texts.ts';
import { type EventLog, eventOf, type Stored } from '../../log/event-log.ts';
import { type IndexedText, type Mark, NO_MARK } from '../../log/search/search-index.ts';

export interface Progress {
  /** How many events of the log are in the index, of how many. */
  readonly events: number;
  readonly total: number;
}

const FIRST_BATCH = 64;
const LARGEST_BATCH = 512;
/** So many are read at once: how large they are is known only then. */
const MOST_READ = 32;
const BATCH_BYTES = 256 * 1024;

/**
 * Brings the words of the log into its index, a batch at a time. Texts and mark
 * are stored together, so a crash repeats nothing and skips nothing; and a batch
 * counts only where the mark was as it was read, so several cannot add a text twice.
 */
export function createTakingIn(log: EventLog) {
  const { search } = log;
  let stepping: Promise<unknown> = Promise.resolve();
  let most = FIRST_BATCH;
  let reading = MOST_READ;

  /** One batch after the other, whoever asks for it. How many events it had. */
  function step(): Promise<number> {
    const next = stepping.then(takeIn, takeIn);
    stepping = next;
    return next;
  }

  async function takeIn(): Promise<number> {
    const mark = await markOfThisLog();
    const rows = await batchBehind(mark.position);
    const last = rows.at(-1);
    if (!last) return 0;
    most = LARGEST_BATCH;
    const to: Mark = { position: last.position, hash: last.hash, version: TEXTS_VERSION };
    const texts = rows.flatMap(indexed);
    if (sizeOf(rows) > BATCH_BYTES / 2) await nextTurn();
    await search.put(mark, to, texts);
    return rows.length;
  }

  /** Events may be large: a batch is as many as take little time and memory. */
  async function batchBehind(position: number): Promise<readonly Stored[]> {
    const batch: Stored[] = [];
    let bytes = 0;
    for (;;) {
      const asked = reading;
      const rows = await log.readAll(batch.at(-1)?.position ?? position, asked);
      reading = Math.min(2 * asked, MOST_READ);
      for (const row of rows) {
        if (batch.length > 0 && bytes + row.body.length > BATCH_BYTES) {
          // What was read in vain is read again: so fewer the next time.
          reading = Math.min(batch.length + 1, MOST_READ);
          return batch;
        }
        batch.push(row);
        bytes += row.body.length;
      }
      if (rows.length < asked || batch.length >= most) return batch;
    }
  }

  /** An index of another log, or of texts as they were taken before, is of no use. */
  async function markOfThisLog(): Promise<Mark> {
    const mark = await search.mark();
    if (mark.position === 0) return mark;
    const [row] = await log.readAll(mark.position - 1, 1);
    if (row?.hash === mark.hash && mark.version === TEXTS_VERSION) return mark;
    await search.clear();
    return NO_MARK;
  }

  async function progress(): Promise<Progress> {
    const { position } = await markOfThisLog();
    // Asked second: the log is never shorter than what was taken from it.
    return { events: position, total: await log.head() };
  }

  /** Resolves when no batch is under way. */
  async function idle(): Promise<void> {
    await stepping.catch(() => {});
  }

  return { step, progress, idle };
}

/** Makes the index anew from the events alone (L14). */
export async function rebuildIndex(log: EventLog, tell?: (events: number, total: number) => void): Promise<void> {
  const taking = createTakingIn(log);
  await log.search.clear();
  while ((await taking.step()) > 0) {
    const { events, total } = await taking.progress();
    tell?.(events, total);
    await nextTurn();
  }
}

function indexed(row: Stored): readonly IndexedText[] {
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

function sizeOf(rows: readonly Stored[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}
