import { SHELF } from '../migrations/postgres-shelves.ts';
import { beginningsOf, commonBeginnings, findFar, findNear, tsqueryOf, valuesOf } from './postgres-query.ts';
import { type Found, type IndexedText, indexedWords, type Mark, NO_MARK, type SearchIndex } from './search-index.ts';
import { byShelves, EVERYWHERE, findIn, type Range, rangesOf, SPAN } from './spans.ts';

type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

const LOOK_MS = 500;
/** So few texts are looked at themselves. */
const NEAR = 4 * SPAN;
/** So many shelves at most are looked into at once, as a look is not given up before its end. */
const MOST_SHELVES = 8;
/** Of so many texts so many tell that a beginning is common. */
const SAMPLE = 1024;
const COMMON = 16;
/** PostgreSQL takes no more different words of one text, in bytes. */
const MOST_BYTES = 1_000_000;

export function createPostgresSearch(query: Query): SearchIndex {
  async function mark(): Promise<Mark> {
    return (await query<Mark>('SELECT position, hash, version FROM search_mark'))[0] ?? NO_MARK;
  }

  async function newest(): Promise<number> {
    return (await query<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM search_texts'))[0]?.n ?? 0;
  }

  async function ranges(after?: number, before?: number): Promise<readonly Range[]> {
    if (after === undefined && before === undefined) return EVERYWHERE;
    const spans = await query<{ span: number }>(
      'SELECT span FROM search_spans WHERE newest >= $1 AND oldest < $2 ORDER BY span DESC',
      [after ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER],
    );
    return rangesOf(spans.map(({ span }) => span));
  }

  async function common(beginnings: readonly string[], newest: number): Promise<ReadonlySet<string>> {
    if (beginnings.length === 0) return new Set();
    const values = [beginnings, newest - SAMPLE + 1, newest, COMMON];
    return new Set((await query<{ beginning: string }>(commonBeginnings, values)).map(({ beginning }) => beginning));
  }

  return {
    mark,
    async put(from, to, texts) {
      const [row] = await query<{ done: boolean }>(
        'SELECT search_put($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done',
        [from, to]
          .flatMap(({ position, hash, version }): unknown[] => [position, hash, version])
          .concat([SPAN], columnsOf(texts)),
      );
      return row?.done === true;
    },
    async clear() {
      await query('SELECT search_clear()');
    },
    async find(wanted, under, limit) {
      const values = valuesOf(wanted);
      const [top, within] = await Promise.all([newest(), ranges(wanted.after, wanted.before)]);
      const last = Math.min(top, under - 1);
      let left: Promise<ReadonlySet<string>> | undefined;
      return findIn({
        ranges: within,
        newest: last,
        limit,
        withinMs: LOOK_MS,
        stretches: byShelves(NEAR, SHELF, MOST_SHELVES),
        async look({ from, to }, most) {
          if (to - from < NEAR) return query<Found>(findNear, [from, to, ...values, most]);
          left ??= common(beginningsOf(wanted), last);
          const without = await left;
          const queries = shelvesOf(from, to).map((shelf) => tsqueryOf(wanted, shelf, without));
          return query<Found>(findFar, [from, to, ...values, most, queries]);
        },
      });
    },
  };
}

/** The newest first. */
function shelvesOf(from: number, to: number): readonly number[] {
  const [first, last] = [Math.floor(from / SHELF), Math.floor(to / SHELF)];
  return Array.from({ length: last - first + 1 }, (_, i) => last - i);
}

function columnsOf(texts: readonly IndexedText[]): unknown[] {
  return [
    texts.map(({ position }) => position),
    texts.map(({ part }) => part),
    texts.map(({ ts }) => ts),
    texts.map((text) => fitting(indexedWords(text)).join(' ')),
  ];
}

function fitting(words: readonly string[]): readonly string[] {
  if (words.length * 8 < MOST_BYTES / 32) return words;
  const seen = new Set<string>();
  let bytes = 0;
  for (const [i, word] of words.entries()) {
    if (seen.has(word)) continue;
    seen.add(word);
    bytes += Buffer.byteLength(word) + 8;
    if (bytes > MOST_BYTES) return words.slice(0, i);
  }
  return words;
}
