import type { QueryTerm } from '../../core/search/query.ts';
import { shelvedWordsSql } from '../migrations/postgres-shelves.ts';
import type { IndexQuery } from './search-index.ts';

/** Whether a text itself matches: the parameters are those of `queryValuesOf`, after the bounds of its number. */
function matchCondition(column: string): string {
  return `${column} >= $1 AND ${column} <= $2 AND ts >= $3 AND ts < $4
    AND ' ' || words || ' ' LIKE ALL ($5::text[])
    AND NOT (' ' || words || ' ' LIKE ANY ($6::text[]))
    AND NOT EXISTS (
      SELECT FROM unnest($7::text[]) AS one_of(list)
      WHERE NOT string_to_array(words, ' ') && string_to_array(list, ' '))`;
}

/** Scans the texts themselves, newest first, until there are enough matches. */
export const findNearSql = `SELECT n, position, part FROM search_texts WHERE ${matchCondition('n')} ORDER BY n DESC LIMIT $8`;

/**
 * Queries the word index shelf by shelf in the given order ($9), until there are enough matches. `OFFSET 0` and the
 * hidden number keep the planner from walking through all texts instead.
 */
export const findFarSql = `
  SELECT newest.n, newest.position, newest.part
  FROM unnest($9::text[]) AS shelf(query) CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT n, position, part FROM search_texts WHERE ${shelvedWordsSql} @@ shelf.query::tsquery AND ${matchCondition('(n + 0)')} OFFSET 0
    ) AS found
    ORDER BY n DESC LIMIT $8
  ) AS newest
  LIMIT $8`;

/** The prefixes ($1) that at least $4 of the texts of a range contain. */
export const commonPrefixesSql = `
  SELECT beginning FROM unnest($1::text[]) AS row(beginning), search_texts
  WHERE n >= $2 AND n <= $3 AND ' ' || words LIKE '% ' || beginning || '%'
  GROUP BY beginning HAVING count(*) >= $4`;

/** Words consist of letters, digits and the facet sign: none of them is special in a pattern. */
export function queryValuesOf({ after, before, all, any, none }: IndexQuery): readonly unknown[] {
  // A list of one word is an ordinary word, which a pattern matches faster.
  const singleWords = any.filter((words) => words.length === 1).map((words) => ({ words }));
  return [
    after ?? Number.MIN_SAFE_INTEGER,
    before ?? Number.MAX_SAFE_INTEGER,
    [...all, ...singleWords].map(patternOf),
    none.map(patternOf),
    any.filter((words) => words.length > 1).map((words) => words.join(' ')),
  ];
}

function patternOf({ words, prefix }: QueryTerm): string {
  return `% ${words.join(' ')}${prefix ? '' : ' '}%`;
}

export function prefixesOf({ all }: IndexQuery): string[] {
  return all.flatMap(({ words, prefix }) => (prefix ? (words.at(-1) ?? []) : []));
}

/**
 * The query for every required word, in a phrase or not, on one shelf. Common prefixes are left out if anything else
 * is left: they are checked against the texts themselves.
 */
export function tsqueryOf(indexQuery: IndexQuery, shelf: number, commonPrefixes: ReadonlySet<string>): string {
  const quote = (word: string) => `'${shelf}/${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const prefixTerms = (words: readonly string[]) => words.map((word) => `${quote(word)}:*`);
  const prefixes = prefixesOf(indexQuery);
  const conditions = [
    ...indexQuery.all.flatMap(({ words, prefix }) => (prefix ? words.slice(0, -1) : words)).map(quote),
    ...indexQuery.any.map((words) => `(${words.map(quote).join(' | ')})`),
    ...prefixTerms(prefixes.filter((word) => !commonPrefixes.has(word))),
  ];
  return (conditions.length > 0 ? conditions : prefixTerms(prefixes)).join(' & ');
}
