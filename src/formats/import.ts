import type { EventLog, Fork, Linked, RecordWrite, Sealed } from '../log/event-log.ts';
import { MISSING_BLOB } from '../log/record-kinds.ts';
import { GENESIS } from '../log/seal.ts';
import { BadFile } from './bad-file.ts';
import { forkedFrom, sentenceOf } from './chain.ts';
import { type ComparisonParts, createComparison } from './compare.ts';
import { type ImportedParts, importedParts, withImported } from './imported-record.ts';
import { readExport } from './jsonl.ts';
import { type VerifiedFile, verifyFile, type Watched } from './verify.ts';

export interface Imported {
  readonly threads: number;
  readonly added: number;
  /** Events that were here already, the same to the last byte. */
  readonly skipped: number;
  readonly blobs: number;
  readonly head: string;
  /** The thread it is an export of; absent for a whole workspace. */
  readonly scope?: string;
  /** What could not be carried over (L20): empty unless the export itself lacked something. */
  readonly report: { readonly dropped: readonly Dropped[] };
}

export interface Dropped {
  readonly field: string;
  readonly count: number;
  readonly why: string;
}

export interface ImportParts extends Watched, ComparisonParts {
  /** The derived rows of the threads these events belong to, written in the same transaction. */
  derived?(events: readonly Sealed[]): Promise<readonly RecordWrite[]>;
  /** How far the proving is, in bytes; `progress` tells of the storing, in events. */
  proving?(done: number, total: number): void;
  /** Whether the human moves their own workspace: nothing of it is shown as another's, and its work goes on (L25). */
  readonly mine?: boolean;
  /** Called when all is proved and storing begins. */
  proved?(file: VerifiedFile): Promise<void> | void;
}

const CHUNK_EVENTS = 500;
const CHUNK_CHARACTERS = 2 * 1024 * 1024;

/**
 * Brings an export into a log: ids, seqs and hashes stay what they are (L20).
 * The whole file is proved, and compared with what is here, before anything is
 * stored; each part is then stored whole, so an import that was stopped is
 * finished by running it again.
 */
export async function importFile(log: EventLog, path: string, parts: ImportParts = {}): Promise<Imported> {
  const here = createComparison(log, path, parts);
  const watched = { signal: parts.signal, ...(parts.proving && { progress: parts.proving }) };
  const file = await verifyFile(path, watched, here.compare);
  if (file.broken) {
    // Every line before it was compared.
    const line = here.lineReached() + 1;
    throw new BadFile(`Line ${line}: ${sentenceOf(file.broken)} Nothing was imported.`, line);
  }
  await here.finish(file.heads);
  await parts.proved?.(file);
  const added = await store(log, path, here.heads, parts, file.events);
  await log.putRecords(file.missing.map((key) => ({ kind: MISSING_BLOB, key, value: file.head })));
  return {
    threads: file.threads,
    added,
    skipped: file.events - added,
    blobs: file.blobs,
    head: file.head,
    ...(file.scope && { scope: file.scope }),
    report: { dropped: droppedOf(file) },
  };
}

/** `heads`: the seq each thread of the file has in this log before the import. */
async function store(
  log: EventLog,
  path: string,
  heads: Map<string, number>,
  { signal, derived, progress, mine = false }: ImportParts,
  total: number,
): Promise<number> {
  let chunk: Linked[] = [];
  /** The hash of each thread's last event so far in the file. */
  const hashes = new Map<string, string>();
  const imported = new Map<string, ImportedParts | undefined>();
  let forks: Fork[] = [];
  let characters = 0;
  let seen = 0;
  let added = 0;
  for await (const item of readExport(path, signal)) {
    if (item.kind === 'blob') await log.putBlob(item.blob);
    if (item.kind !== 'event') continue;
    seen++;
    const { sealed, event } = item;
    const before = hashes.get(sealed.thread);
    hashes.set(sealed.thread, sealed.hash);
    if (sealed.seq <= headOf(sealed.thread)) continue;
    const fork = forkedFrom(event);
    // A fork begins with its parent's state, which has to be in the log by then.
    if (fork || chunk.length === CHUNK_EVENTS || characters > CHUNK_CHARACTERS) await flush();
    if (fork) forks.push({ thread: sealed.thread, parent: fork.thread, seq: fork.seq });
    const previous = before ?? (fork ? (await log.lastOf(fork.thread, fork.seq))?.hash : undefined) ?? GENESIS;
    chunk.push({ ...sealed, previous });
    characters += sealed.body.length;
  }
  await flush();
  return added;

  async function flush() {
    if (chunk.length === 0) return;
    signal?.throwIfAborted();
    const last = new Map(chunk.map(({ thread, seq }) => [thread, seq]));
    const noted = await Promise.all([...last].map(([thread, seq]) => noteImported(thread, seq)));
    const expected = [...last.keys()].map((thread) => ({ thread, seq: headOf(thread) }));
    const records = [...noted, ...((await derived?.(chunk)) ?? [])];
    const [outcome] = await log.append([{ expected, events: chunk, forks, records }]);
    if (outcome?.status !== 'committed') {
      throw new BadFile('Somebody wrote to one of these threads during the import. Run the same import again.');
    }
    for (const [thread, seq] of last) heads.set(thread, seq);
    added += chunk.length;
    chunk = [];
    forks = [];
    characters = 0;
    progress?.(seen, total);
  }

  async function noteImported(thread: string, last: number): Promise<RecordWrite> {
    const first = (chunk.find((sealed) => sealed.thread === thread) as Sealed).seq;
    const before = imported.has(thread) ? imported.get(thread) : await importedParts(log, thread);
    const { after, write } = withImported(thread, before, first, last, mine);
    imported.set(thread, after);
    return write;
  }

  function headOf(thread: string): number {
    return heads.get(thread) ?? 0;
  }
}

function droppedOf({ missing }: VerifiedFile): readonly Dropped[] {
  if (missing.length === 0) return [];
  return [{ field: 'blobs', count: missing.length, why: 'the workspace they were exported from had lost them' }];
}
