import { closestName } from '../../text/nearest.ts';

export interface NamedThread {
  readonly id: string;
  readonly title: string;
  readonly archived?: true | undefined;
}

/**
 * Threads that a name may refer to: by exact id, else by exact title, else by the beginning or end of the id. Of
 * threads with one title, the archived ones are meant only if all of them are (T32).
 */
export function findThreadsByName<Row extends NamedThread>(rows: readonly Row[], name: string): readonly Row[] {
  const byId = rows.filter((row) => row.id === name);
  if (byId.length > 0) return byId;
  const byTitle = rows.filter((row) => row.title === name);
  if (byTitle.length > 0 || name === '') return listedFirst(byTitle);
  const idPart = name.toUpperCase();
  return rows.filter(({ id }) => id.startsWith(idPart) || id.endsWith(idPart));
}

function listedFirst<Row extends NamedThread>(rows: readonly Row[]): readonly Row[] {
  const listed = rows.filter(({ archived }) => !archived);
  return listed.length > 0 ? listed : rows;
}

/** Nobody mistypes a longer name, and comparing letter by letter is slow. */
const MAX_TYPED_LENGTH = 80;

/** A title that begins with the name, ignoring case, or differs from it by only a few letters. */
export function findSimilarTitle(rows: readonly NamedThread[], name: string): string | undefined {
  const prefixMatch = rows.find(({ title }) => title.toLowerCase().startsWith(name.toLowerCase()));
  if (prefixMatch || name.length > MAX_TYPED_LENGTH) return prefixMatch?.title;
  const titles = rows.map(({ title }) => title).filter(({ length }) => length <= MAX_TYPED_LENGTH);
  return closestName(name, titles);
}
