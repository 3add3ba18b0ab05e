import type { Term } from '../../core/search/query.ts';
import { shelved } from '../migrations/postgres-shelves.ts';
import type { Wanted } from './search-index.ts';

/** Whether a text itself answers: the parameters are those of `valuesOf`, behind the bounds of its number. */
function answers(number: string): string {
  return `${number} >= $1 AND ${number} <= $2 AND ts >= $3 AND ts < $4
    AND ' ' || words || ' ' LIKE ALL ($5::text[])
    AND NOT (' ' || words || ' ' LIKE ANY ($6::text[]))
    AND NOT EXISTS (
      SELECT FROM unnest($7::text[]) AS one_of(list)
      WHERE NOT string_to_array(words, ' ') && string_to_array(list, ' '))`;
}

/** Looks at the texts themselves, from the newest on, until there are enough. */
export const findNear = `SELECT n, position, part FROM search_texts WHERE ${answers('n')} ORDER BY n DESC LIMIT $8`;

/**
 * Asks the index of words, shelf by shelf in the order given ($9), until there are enough. `OFFSET 0` and the hidden
 * number keep the planner from walking through all texts instead.
 */
export const findFar = `
  SELECT newest.n, newest.position, newest.part
  FROM unnest($9::text[]) AS shelf(query) CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT n, position, part FROM search_texts WHERE ${shelved} @@ shelf.query::tsquery AND ${answers('(n + 0)')} OFFSET 0
    ) AS found
    ORDER BY n DESC LIMIT $8
  ) AS newest
  LIMIT $8`;

/** Those of some beginnings ($1) that so many ($4) of the texts of a range have. */
export const commonBeginnings = `
  SELECT beginning FROM unnest($1::text[]) AS row(beginning), search_texts
  WHERE n >= $2 AND n <= $3 AND ' ' || words LIKE '% ' || beginning || '%'
  GROUP BY beginning HAVING count(*) >= $4`;

/** Words are letters, digits and the sign of a facet: none of them means anything in a pattern. */
export function valuesOf({ after, before, all, any, none }: Wanted): readonly unknown[] {
  // A list of one word is a word like any other, which a pattern tells sooner.
  const alone = any.filter((words) => words.length === 1).map((words) => ({ words }));
  return [
    after ?? Number.MIN_SAFE_INTEGER,
    before ?? Number.MAX_SAFE_INTEGER,
    [...all, ...alone].map(patternOf),
    none.map(patternOf),
    any.filter((words) => words.length > 1).map((words) => words.join(' ')),
  ];
}

function patternOf({ words, prefix }: Term): string {
  return `% ${words.join(' ')}${prefix ? '' : ' '}%`;
}

export function beginningsOf({ all }: Wanted): string[] {
  return all.flatMap(({ words, prefix }) => (prefix ? (words.at(-1) ?? []) : []));
}

/**
 * Every word that must be there, whether in a row or not, on one shelf. Beginnings that are common are left out if
 * anything else is left: the texts themselves are looked at for those.
 */
export function tsqueryOf(wanted: Wanted, shelf: number, common: ReadonlySet<string>): string {
  const quoted = (word: string) => `'${shelf}/${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const begun = (words: readonly string[]) => words.map((word) => `${quoted(word)}:*`);
  const beginnings = beginningsOf(wanted);
  const parts = [
    ...wanted.all.flatMap(({ words, prefix }) => (prefix ? words.slice(0, -1) : words)).map(quoted),
    ...wanted.any.map((words) => `(${words.map(quoted).join(' | ')})`),
    ...begun(beginnings.filter((word) => !common.has(word))),
  ];
  return (parts.length > 0 ? parts : begun(beginnings)).join(' & ');
}
