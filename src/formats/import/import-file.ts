import { statSync } from 'node:fs';
import type { Event } from '../../core/events/event.ts';
import type { EventLog, Fork, Linked, RecordWrite, Sealed, StoredBlob } from '../../log/event-log.ts';
import { MISSING_BLOB } from '../../log/record-kinds.ts';
import { GENESIS } from '../../log/seal.ts';
import { BadFile } from '../bad-file.ts';
import { type Item, readExport } from '../export/jsonl.ts';
import { forkedFrom, sentenceOf } from '../verify/chain.ts';
import { type VerifiedFile, verifyFile, type Watched } from '../verify/verify.ts';
import { type Compared, type ComparisonParts, createComparison } from './comparison.ts';
import { type ImportedParts, importedParts, withImported } from './imported-ranges.ts';

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
  derived?(events: readonly Sealed[], parsed: readonly Event[]): Promise<readonly RecordWrite[]>;
  /** How far the proving is, in bytes; `progress` tells of the storing, in events. */
  proving?(done: number, total: number): void;
  /** Whether the human moves their own workspace: nothing of it is shown as another's, and its work goes on (L25). */
  readonly mine?: boolean;
  /** What `proveImport` found, where the file was proved before its workspace was made. */
  readonly proof?: ImportProof;
  /** Called when all is proved and storing begins. */
  proved?(file: VerifiedFile): Promise<void> | void;
}

const CHUNK_EVENTS = 1_000;
const CHUNK_CHARACTERS = 2 * 1024 * 1024;
const HELD_BYTES = 8 * 1024 * 1024;

/**
 * Brings an export into a log: ids, seqs and hashes stay what they are (L20).
 * The whole file is proved, and compared with what is here, before anything is
 * stored; each part is then stored whole, so an import that was stopped is
 * finished by running it again.
 */
export async function importFile(log: EventLog, path: string, parts: ImportParts = {}): Promise<Imported> {
  // What was proved for an empty log holds for this one only if it is.
  const known = parts.proof && (await log.head()) === 0 ? parts.proof : undefined;
  const { file, here, held = readExport(path, parts.signal) } = known ?? (await proveImport(path, parts, log));
  if (file.broken) {
    // Every line before it was compared.
    const line = here.lineReached() + 1;
    throw new BadFile(`Line ${line}: ${sentenceOf(file.broken)} Nothing was imported.`, line);
  }
  await here.finish(file.heads);
  await parts.proved?.(file);
  const added = await store(log, held, here.heads, parts, file.events);
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

const NOTHING_YET: Compared = { head: async () => 0, lastOf: async () => undefined, byId: async () => undefined };

export interface ImportProof {
  readonly file: VerifiedFile;
  readonly here: ReturnType<typeof createComparison>;
  /** What a small file holds, so that it is not read and parsed a second time. */
  readonly held?: readonly Item[];
}

/** Proves a file and compares it with a log, or with an empty one that is not made yet. */
export async function proveImport(
  path: string,
  parts: Omit<ImportParts, 'proof'> = {},
  log: Compared = NOTHING_YET,
): Promise<ImportProof> {
  const here = createComparison(log, path, parts);
  const watched = { signal: parts.signal, ...(parts.proving && { progress: parts.proving }) };
  const held: Item[] = [];
  const isSmall = statSync(path).size <= HELD_BYTES;
  const file = await verifyFile(path, watched, (item) => {
    if (isSmall && item.kind === 'event') held.push({ kind: 'event', sealed: item.sealed, event: item.event });
    if (isSmall && item.kind === 'blob') held.push({ kind: 'blob', blob: item.blob });
    return here.compare(item);
  });
  return { file, here, ...(isSmall && { held }) };
}

/** `heads`: the seq each thread of the file has in this log before the import. */
async function store(
  log: EventLog,
  items: Iterable<Item> | AsyncIterable<Item>,
  heads: Map<string, number>,
  { signal, derived, progress, mine = false }: ImportParts,
  total: number,
): Promise<number> {
  let chunk: Linked[] = [];
  let parsed: Event[] = [];
  /** The hash of each thread's last event so far in the file. */
  const hashes = new Map<string, string>();
  const imported = new Map<string, ImportedParts | undefined>();
  let forks: Fork[] = [];
  let blobs: StoredBlob[] = [];
  let bytes = 0;
  let characters = 0;
  let seen = 0;
  let added = 0;
  for await (const item of items) {
    if (item.kind === 'blob') {
      blobs.push(item.blob);
      bytes += item.blob.body.length;
      if (bytes > CHUNK_CHARACTERS) await keepBlobs();
    }
    if (item.kind !== 'event') continue;
    seen++;
    const { sealed, event } = item;
    const before = hashes.get(sealed.thread);
    hashes.set(sealed.thread, sealed.hash);
    if (sealed.seq <= headOf(sealed.thread)) continue;
    const fork = forkedFrom(event);
    // A fork begins with its parent's state, which has to be in the log by then.
    const isEarly = fork && chunk.some(({ thread }) => thread === fork.thread);
    if (isEarly || chunk.length === CHUNK_EVENTS || characters > CHUNK_CHARACTERS) await flush();
    if (fork) forks.push({ thread: sealed.thread, parent: fork.thread, seq: fork.seq });
    const previous = before ?? (fork ? (await log.lastOf(fork.thread, fork.seq))?.hash : undefined) ?? GENESIS;
    chunk.push({ ...sealed, previous });
    parsed.push({ ...event, hash: sealed.hash });
    characters += sealed.body.length;
  }
  await flush();
  await keepBlobs();
  return added;

  /** Many in one commit: each commit waits for the disk. */
  async function keepBlobs() {
    if (blobs.length > 0) await log.putBlobs(blobs);
    blobs = [];
    bytes = 0;
  }

  async function flush() {
    if (chunk.length === 0) return;
    signal?.throwIfAborted();
    // Before the events that name them.
    await keepBlobs();
    const last = new Map(chunk.map(({ thread, seq }) => [thread, seq]));
    const noted = await Promise.all([...last].map(([thread, seq]) => noteImported(thread, seq)));
    const expected = [...last.keys()].map((thread) => ({ thread, seq: headOf(thread) }));
    const records = [...noted, ...((await derived?.(chunk, parsed)) ?? [])];
    const [outcome] = await log.append([{ expected, events: chunk, forks, records }]);
    if (outcome?.status !== 'committed') {
      throw new BadFile('Somebody wrote to one of these threads during the import. Run the same import again.');
    }
    for (const [thread, seq] of last) heads.set(thread, seq);
    added += chunk.length;
    chunk = [];
    parsed = [];
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
