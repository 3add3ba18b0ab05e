import { setImmediate as nextTurn } from 'node:timers/promises';
import { facetWord } from '../../core/search/facets.ts';
import { TEXTS_VERSION, textsOf } from '../../core/search/texts.ts';
import { foldedWords } from '../../core/search/words.ts';
import { type EventLog, eventOf, type Stored } from '../../log/event-log.ts';
import { type IndexedText, type Mark, NO_MARK } from '../../log/search-index.ts';
import { pause, TTL_MS, underLease } from '../lease.ts';
import type { Tail } from '../tail.ts';

/** What was just said waits a little for more to come: many small batches cost more than one. */
const GATHER_MS = 1_000;
const RETRY_MS = 5_000;
/** So few are taken in while somebody waits for an answer. */
const FEW = 1_000;
/** How long that may take where nobody else does it. */
const AT_ONCE_MS = 1_000;
const FIRST_BATCH = 64;
const LARGEST_BATCH = 512;
const BATCH_BYTES = 256 * 1024;
/** While others append, this many parts of the time are left to them for each part taken. */
const LEFT_TO_OTHERS = 3;

export interface Progress {
  /** How many events of the log are in the index, of how many. */
  readonly events: number;
  readonly total: number;
}

export interface IndexingParts {
  readonly log: EventLog;
  readonly tail: Pick<Tail, 'subscribe' | 'position'>;
  readonly holder: string;
  report(error: unknown): void;
}

/**
 * Brings the words of the log into the index, behind it and never as part of an
 * append. Texts and mark are stored together, so a crash repeats nothing and
 * skips nothing; and a batch counts only where the mark was as it was read, so
 * several servers cannot add a text twice.
 */
export function createIndexing({ log, tail, holder, report }: IndexingParts) {
  const { search } = log;
  const stop = new AbortController();
  let started = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  let stepping: Promise<unknown> = Promise.resolve();
  let batch = FIRST_BATCH;

  /** Only the process that serves follows the log by itself. */
  function start() {
    started = true;
    unsubscribe = tail.subscribe({
      after: tail.position,
      deliver: () => soon(GATHER_MS),
      live() {},
      ready: async () => {},
      failed: () => soon(RETRY_MS),
    });
    soon(GATHER_MS);
  }

  function soon(ms: number) {
    if (timer || running || stop.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = follow()
        .catch(report)
        .then(async () => {
          running = undefined;
          if (!stop.signal.aborted && (await behind().catch(() => 1)) > 0) soon(RETRY_MS);
        });
    }, ms).unref();
  }

  /** Little is simply done. For much there is a lease, so that of several servers one does it. */
  async function follow(): Promise<void> {
    if ((await behind()) <= FEW) return catchUp({ signal: stop.signal });
    const lease = await log.lease('search', holder, TTL_MS);
    if (lease) await underLease(log, lease, stop.signal, ({ signal }) => catchUp({ signal, gently: true }));
  }

  interface Limits {
    readonly signal?: AbortSignal;
    readonly forMs?: number;
    readonly gently?: true;
    readonly progress?: (events: number, total: number) => void;
  }

  async function catchUp({ signal, forMs = Number.POSITIVE_INFINITY, gently, progress }: Limits): Promise<void> {
    const begun = performance.now();
    while (!signal?.aborted && performance.now() - begun < forMs) {
      const before = { at: performance.now(), position: tail.position };
      if ((await step()) === 0) return;
      if (progress) await told(progress);
      const took = performance.now() - before.at;
      if (gently && signal && tail.position > before.position) await pause(took * LEFT_TO_OTHERS, signal);
      else await nextTurn();
    }
  }

  async function told(progress: (events: number, total: number) => void) {
    const { events, total } = await progressNow();
    progress(events, total);
  }

  /** One batch after the other, whoever asks for it. How many events it took. */
  function step(): Promise<number> {
    const next = stepping.then(takeIn, takeIn);
    stepping = next;
    return next;
  }

  async function takeIn(): Promise<number> {
    const mark = await markOfThisLog();
    const rows = await log.readAll(mark.position, batch);
    const last = rows.at(-1);
    if (!last) return 0;
    batch = nextBatch(rows);
    const to: Mark = { position: last.position, hash: last.hash, version: TEXTS_VERSION };
    await search.put(mark, to, rows.flatMap(indexed));
    return rows.length;
  }

  /** An index of another log, or with texts as they were taken before, is of no use. */
  async function markOfThisLog(): Promise<Mark> {
    const mark = await search.mark();
    if (mark.position === 0) return mark;
    const [row] = await log.readAll(mark.position - 1, 1);
    if (row?.hash === mark.hash && mark.version === TEXTS_VERSION) return mark;
    await search.clear();
    return NO_MARK;
  }

  async function progressNow(): Promise<Progress> {
    const [mark, total] = [await markOfThisLog(), await log.head()];
    return { events: Math.min(mark.position, total), total };
  }

  async function behind(): Promise<number> {
    const { events, total } = await progressNow();
    return total - events;
  }

  /** Before an answer: what was said a moment ago is to be found. */
  async function refresh(): Promise<Progress> {
    const now = await progressNow();
    const missing = now.total - now.events;
    if (missing === 0 || (started && missing > FEW)) return now;
    await catchUp({ forMs: AT_ONCE_MS });
    return progressNow();
  }

  /** Makes it anew from the events alone (L14). */
  async function rebuild(progress?: (events: number, total: number) => void): Promise<void> {
    await search.clear();
    await catchUp({ ...(progress && { progress }) });
  }

  async function close() {
    stop.abort();
    clearTimeout(timer);
    unsubscribe();
    await running;
    await stepping.catch(() => {});
  }

  return { start, refresh, rebuild, close };
}

export type Indexing = ReturnType<typeof createIndexing>;

function indexed(row: Stored): readonly IndexedText[] {
  const event = eventOf(row);
  const ts = Date.parse(event.ts) || 0;
  return textsOf(event).map(({ kind, text, from = event.from }, part) => ({
    position: row.position,
    part,
    ts,
    words: [facetWord('kind', kind), facetWord('from', from), facetWord('thread', event.thread), ...foldedWords(text)],
  }));
}

/** Events may be large: a batch is as many as take little time and memory. */
function nextBatch(rows: readonly Stored[]): number {
  const bytes = rows.reduce((sum, row) => sum + row.body.length, 0);
  return Math.max(1, Math.min(LARGEST_BATCH, Math.floor((BATCH_BYTES * rows.length) / bytes)));
}
