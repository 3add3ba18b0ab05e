import type { Term } from '../core/search/query.ts';
import { type Found, type IndexedText, type Mark, NO_MARK, type SearchIndex, type Wanted } from './search-index.ts';
import { EVERYWHERE, FIRST_STRETCH, findIn, type Range, rangesOf, SPAN } from './search-spans.ts';

type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

const LOOK_MS = 500;
/** PostgreSQL takes no more different words of one text, in bytes. */
const MOST_BYTES = 1_000_000;

const has = `array_to_tsvector(string_to_array(words, ' ')) @@ $1::tsquery`;
const between = 'n >= $2 AND n <= $3';

/** Everything that answers has to be sorted before the newest of it can be taken: hence the bounds. */
function findSql(first: string, then: string): string {
  return `
  WITH found AS MATERIALIZED (SELECT n, position, part, ts, words FROM search_texts WHERE ${first})
  SELECT n, position, part FROM found
  WHERE ${then} AND ts >= $4 AND ts < $5
    AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS row(words) WHERE strpos(' ' || found.words || ' ', row.words) = 0)
    AND NOT EXISTS (SELECT FROM unnest($7::text[]) AS row(words) WHERE strpos(' ' || found.words || ' ', row.words) > 0)
  ORDER BY n DESC LIMIT $8`;
}
/** The index reads all of where a word stands, however few are wanted: the newest few are looked at themselves. */
const findNear = findSql(between, has);
const findFar = findSql(`${has} AND ${between}`, 'true');

export function createPostgresSearch(query: Query): SearchIndex {
  async function mark(): Promise<Mark> {
    return (await query<Mark>('SELECT position, hash, version FROM search_mark'))[0] ?? NO_MARK;
  }

  async function newest(): Promise<number> {
    return (await query<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM search_texts'))[0]?.n ?? 0;
  }

  async function ranges(after: number, before: number): Promise<readonly Range[]> {
    if (after === Number.MIN_SAFE_INTEGER && before === Number.MAX_SAFE_INTEGER) return EVERYWHERE;
    const spans = await query<{ span: number }>(
      'SELECT span FROM search_spans WHERE newest >= $1 AND oldest < $2 ORDER BY span DESC',
      [after, before],
    );
    return rangesOf(spans.map(({ span }) => span));
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
      const { after = Number.MIN_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER, all, none } = wanted;
      const [words, rows, noRows] = [tsqueryOf(wanted), rowsOf(all), rowsOf(none)];
      return findIn(
        await ranges(after, before),
        Math.min(await newest(), under - 1),
        limit,
        LOOK_MS,
        ({ from, to }, most) =>
          query<Found>(to - from < FIRST_STRETCH ? findNear : findFar, [
            words,
            from,
            to,
            after,
            before,
            rows,
            noRows,
            most,
          ]),
      );
    },
  };
}

function columnsOf(texts: readonly IndexedText[]): unknown[] {
  return [
    texts.map(({ position }) => position),
    texts.map(({ part }) => part),
    texts.map(({ ts }) => ts),
    texts.map(({ words }) => fitting(words).join(' ')),
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

/** Every word, whether in a row or not; what must stand in a row is looked at afterwards. */
function tsqueryOf({ all, any, none }: Wanted): string {
  const parts = [
    ...all.flatMap(({ words, prefix }) =>
      words.map((word, i) => `${quoted(word)}${prefix && i === words.length - 1 ? ':*' : ''}`),
    ),
    ...any.map((words) => `(${words.map(quoted).join(' | ')})`),
    ...none
      .filter(({ words }) => words.length === 1)
      .map(({ words, prefix }) => `!${quoted(words[0] as string)}${prefix ? ':*' : ''}`),
  ];
  return parts.join(' & ');
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function rowsOf(terms: readonly Term[]): string[] {
  return terms
    .filter(({ words }) => words.length > 1)
    .map(({ words, prefix }) => ` ${words.join(' ')}${prefix ? '' : ' '}`);
}
