import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { IMPORTED_RANGES } from '../../log/record-kinds.ts';

/** The imported parts of a thread (L25). */
export interface ImportedRanges {
  /** Reactions begin after this seq (L13). */
  readonly upTo: number;
  /** Ranges written by others, as first and last seq, oldest first; events imported as one's own are not listed. */
  readonly parts: readonly (readonly [number, number])[];
}

/**
 * Undefined if nothing was imported. Rows of earlier versions have only a seq and do not say whose events they were.
 */
export async function readImportedRanges(log: EventLog, thread: string): Promise<ImportedRanges | undefined> {
  const text = await log.record(IMPORTED_RANGES, thread);
  return text === undefined ? undefined : parseRanges(text);
}

export async function readAllImportedRanges(log: EventLog): Promise<ReadonlyMap<string, ImportedRanges>> {
  return new Map((await log.records(IMPORTED_RANGES)).map(({ key, value }) => [key, parseRanges(value)]));
}

function parseRanges(text: string): ImportedRanges {
  const value = JSON.parse(text) as number | ImportedRanges;
  return typeof value === 'number' ? { upTo: value, parts: [] } : value;
}

/** Returns the row with another imported range added. */
export function addImportedRange(
  thread: string,
  before: ImportedRanges | undefined,
  first: number,
  last: number,
  isMine: boolean,
): { readonly after: ImportedRanges; readonly write: RecordWrite } {
  const after = { upTo: last, parts: isMine ? (before?.parts ?? []) : appendRange(before?.parts ?? [], first, last) };
  return { after, write: { kind: IMPORTED_RANGES, key: thread, value: JSON.stringify(after) } };
}

function appendRange(parts: ImportedRanges['parts'], first: number, last: number): ImportedRanges['parts'] {
  const newestRange = parts.at(-1);
  return newestRange?.[1] === first - 1 ? [...parts.slice(0, -1), [newestRange[0], last]] : [...parts, [first, last]];
}

/** The seq of the newest imported event up to a given seq; 0 if there is none. */
export function lastImportedSeq({ parts }: Pick<ImportedRanges, 'parts'>, upTo = Number.MAX_SAFE_INTEGER): number {
  const newestRange = parts.findLast(([first]) => first <= upTo);
  return newestRange ? Math.min(newestRange[1], upTo) : 0;
}
