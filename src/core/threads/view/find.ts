import { nearest } from '../../text/nearest.ts';

export interface Named {
  readonly id: string;
  readonly title: string;
}

/** The threads a name may mean: those of this id; else of exactly this title; else whose id begins or ends so. */
export function threadsNamed<Row extends Named>(rows: readonly Row[], name: string): readonly Row[] {
  const exact = rows.filter((row) => row.id === name);
  if (exact.length > 0) return exact;
  const titled = rows.filter((row) => row.title === name);
  if (titled.length > 0 || name === '') return titled;
  const part = name.toUpperCase();
  return rows.filter(({ id }) => id.startsWith(part) || id.endsWith(part));
}

/** Nobody mistypes a longer one, and comparing letter by letter takes its time. */
const LONGEST_TYPED = 80;

/** A title that begins as the name does, whatever the case, or that is only a few letters away. */
export function closeTitle(rows: readonly Named[], name: string): string | undefined {
  const begun = rows.find(({ title }) => title.toLowerCase().startsWith(name.toLowerCase()));
  if (begun || name.length > LONGEST_TYPED) return begun?.title;
  const titles = rows.map(({ title }) => title).filter(({ length }) => length <= LONGEST_TYPED);
  return nearest(name, titles);
}
