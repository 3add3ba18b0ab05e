import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { IMPORTED } from '../../log/record-kinds.ts';

/** What came into a thread by imports (L25). */
export interface ImportedParts {
  /** Reactions begin after this seq (L13). */
  readonly upTo: number;
  /** The stretches that others wrote, first and last seq of each, the oldest first; none of what is one's own. */
  readonly parts: readonly (readonly [number, number])[];
}

/** Undefined where nothing was imported. Rows of earlier versions have a seq only: whose it was, nobody knows. */
export async function importedParts(log: EventLog, thread: string): Promise<ImportedParts | undefined> {
  const text = await log.record(IMPORTED, thread);
  return text === undefined ? undefined : parsed(text);
}

export async function allImportedParts(log: EventLog): Promise<ReadonlyMap<string, ImportedParts>> {
  return new Map((await log.records(IMPORTED)).map(({ key, value }) => [key, parsed(value)]));
}

function parsed(text: string): ImportedParts {
  const value = JSON.parse(text) as number | ImportedParts;
  return typeof value === 'number' ? { upTo: value, parts: [] } : value;
}

/** The row after another stretch has come in. */
export function withImported(
  thread: string,
  before: ImportedParts | undefined,
  first: number,
  last: number,
  isMine: boolean,
): { readonly after: ImportedParts; readonly write: RecordWrite } {
  const after = { upTo: last, parts: isMine ? (before?.parts ?? []) : joined(before?.parts ?? [], first, last) };
  return { after, write: { kind: IMPORTED, key: thread, value: JSON.stringify(after) } };
}

function joined(parts: ImportedParts['parts'], first: number, last: number): ImportedParts['parts'] {
  const newest = parts.at(-1);
  return newest?.[1] === first - 1 ? [...parts.slice(0, -1), [newest[0], last]] : [...parts, [first, last]];
}

/** The newest imported event up to a seq; 0 where there is none. */
export function lastImported({ parts }: Pick<ImportedParts, 'parts'>, upTo = Number.MAX_SAFE_INTEGER): number {
  const newest = parts.findLast(([first]) => first <= upTo);
  return newest ? Math.min(newest[1], upTo) : 0;
}
