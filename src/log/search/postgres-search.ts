import { SHELF_SIZE } from '../migrations/postgres-shelves.ts';
import { commonPrefixesSql, findFarSql, findNearSql, prefixesOf, queryValuesOf, tsqueryOf } from './postgres-query.ts';
import {
  EMPTY_MARK,
  type IndexedText,
  type IndexHit,
  type IndexMark,
  indexedWordsOf,
  type SearchIndex,
} from './search-index.ts';
import { ALL_NUMBERS, findInRanges, type NumberRange, rangesOfSpans, SPAN_SIZE, shelfStretches } from './spans.ts';

type RunQuery = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

const SEARCH_MS = 500;
/** Up to this many texts are scanned without the index. */
const NEAR_TEXTS = 4 * SPAN_SIZE;
/** The most shelves to search at once, because a query always runs to its end. */
const MAX_SHELVES = 8;
/** A prefix is common if COMMON_COUNT of SAMPLE_SIZE texts contain it. */
const SAMPLE_SIZE = 1024;
const COMMON_COUNT = 16;
/** PostgreSQL's limit on the distinct words of one text, in bytes. */
const MAX_WORD_BYTES = 1_000_000;

export function createPostgresSearch(query: RunQuery): SearchIndex {
  async function readMark(): Promise<IndexMark> {
    return (await query<IndexMark>('SELECT position, hash, version FROM search_mark'))[0] ?? EMPTY_MARK;
  }

  async function newestNumber(): Promise<number> {
    return (await query<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM search_texts'))[0]?.n ?? 0;
  }

  async function rangesBetween(after?: number, before?: number): Promise<readonly NumberRange[]> {
    if (after === undefined && before === undefined) return ALL_NUMBERS;
    const spans = await query<{ span: number }>(
      'SELECT span FROM search_spans WHERE newest >= $1 AND oldest < $2 ORDER BY span DESC',
      [after ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER],
    );
    return rangesOfSpans(spans.map(({ span }) => span));
  }

  async function commonPrefixesOf(prefixes: readonly string[], upTo: number): Promise<ReadonlySet<string>> {
    if (prefixes.length === 0) return new Set();
    const values = [prefixes, upTo - SAMPLE_SIZE + 1, upTo, COMMON_COUNT];
    return new Set((await query<{ beginning: string }>(commonPrefixesSql, values)).map(({ beginning }) => beginning));
  }

  return {
    mark: readMark,
    async put(from, to, texts) {
      const [row] = await query<{ done: boolean }>(
        'SELECT search_put($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done',
        [from, to]
          .flatMap(({ position, hash, version }): unknown[] => [position, hash, version])
          .concat([SPAN_SIZE], textColumnsOf(texts)),
      );
      return row?.done === true;
    },
    async clear() {
      await query('SELECT search_clear()');
    },
    async find(indexQuery, below, limit) {
      const values = queryValuesOf(indexQuery);
      const [newestText, timeRanges] = await Promise.all([
        newestNumber(),
        rangesBetween(indexQuery.after, indexQuery.before),
      ]);
      const lastNumber = Math.min(newestText, below - 1);
      let commonPrefixes: Promise<ReadonlySet<string>> | undefined;
      return findInRanges({
        ranges: timeRanges,
        newest: lastNumber,
        limit,
        withinMs: SEARCH_MS,
        nextStart: shelfStretches(NEAR_TEXTS, SHELF_SIZE, MAX_SHELVES),
        async findInRange({ from, to }, maxHits) {
          if (to - from < NEAR_TEXTS) return query<IndexHit>(findNearSql, [from, to, ...values, maxHits]);
          commonPrefixes ??= commonPrefixesOf(prefixesOf(indexQuery), lastNumber);
          const skippedPrefixes = await commonPrefixes;
          const queries = shelvesOf(from, to).map((shelf) => tsqueryOf(indexQuery, shelf, skippedPrefixes));
          return query<IndexHit>(findFarSql, [from, to, ...values, maxHits, queries]);
        },
      });
    },
  };
}

/** The shelves of a range, newest first. */
function shelvesOf(from: number, to: number): readonly number[] {
  const [first, last] = [Math.floor(from / SHELF_SIZE), Math.floor(to / SHELF_SIZE)];
  return Array.from({ length: last - first + 1 }, (_, i) => last - i);
}

function textColumnsOf(texts: readonly IndexedText[]): unknown[] {
  return [
    texts.map(({ position }) => position),
    texts.map(({ part }) => part),
    texts.map(({ ts }) => ts),
    texts.map((text) => fitWords(indexedWordsOf(text)).join(' ')),
  ];
}

function fitWords(words: readonly string[]): readonly string[] {
  if (words.length * 8 < MAX_WORD_BYTES / 32) return words;
  const seenWords = new Set<string>();
  let bytes = 0;
  for (const [i, word] of words.entries()) {
    if (seenWords.has(word)) continue;
    seenWords.add(word);
    bytes += Buffer.byteLength(word) + 8;
    if (bytes > MAX_WORD_BYTES) return words.slice(0, i);
  }
  return words;
}
