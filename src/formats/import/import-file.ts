import { statSync } from 'node:fs';
import type { Event } from '../../core/events/event.ts';
import type { EventLog, Fork, LinkedEvent, RecordWrite, SealedEvent, StoredBlob } from '../../log/event-log.ts';
import { MISSING_BLOB } from '../../log/record-kinds.ts';
import { GENESIS } from '../../log/seal.ts';
import { BadFile } from '../bad-file.ts';
import { type ExportItem, readExport } from '../export/jsonl.ts';
import { describeFailure, forkPointOf } from '../verify/chain.ts';
import { type FileVerification, type ProgressOptions, verifyFile } from '../verify/verify.ts';
import { type ComparedLog, type ComparisonOptions, createComparison } from './comparison.ts';
import { addImportedRange, type ImportedRanges, readImportedRanges } from './imported-ranges.ts';

export interface LogImportResult {
  readonly threads: number;
  readonly added: number;
  /** Events the log already had, identical to the last byte. */
  readonly skipped: number;
  readonly blobs: number;
  readonly head: string;
  /** The exported thread; absent for a whole workspace. */
  readonly scope?: string;
  /** What could not be carried over (L20): empty unless the export itself lacked something. */
  readonly report: { readonly dropped: readonly DroppedData[] };
}

export interface DroppedData {
  readonly field: string;
  readonly count: number;
  readonly why: string;
}

export interface LogImportOptions extends ProgressOptions, ComparisonOptions {
  /** The derived rows of the threads these events belong to, written in the same transaction. */
  derived?(events: readonly SealedEvent[], parsedEvents: readonly Event[]): Promise<readonly RecordWrite[]>;
  /** Verification progress in bytes; `onProgress` reports storage progress in events. */
  onProving?(done: number, total: number): void;
  /**
   * Whether the human is moving their own workspace: nothing is shown as someone else's, and its work continues
   * (L25).
   */
  readonly mine?: boolean;
  /** The result of `proveImport`, if the file was verified before its workspace was created. */
  readonly proof?: ImportProof;
  /** Called when everything is verified and storing begins. */
  onProved?(file: FileVerification): Promise<void> | void;
}

const CHUNK_EVENTS = 1_000;
const CHUNK_CHARACTERS = 2 * 1024 * 1024;
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/**
 * Imports an export into a log; ids, seqs and hashes are preserved (L20). The whole file is verified and compared
 * with the log before anything is stored. Each part is then stored atomically, so running an interrupted import again
 * completes it.
 */
export async function importFile(
  log: EventLog,
  path: string,
  options: LogImportOptions = {},
): Promise<LogImportResult> {
  // A proof made against an empty log is valid only if this log is empty.
  const earlierProof = options.proof && (await log.head()) === 0 ? options.proof : undefined;
  const {
    file,
    comparison,
    items = readExport(path, options.signal),
  } = earlierProof ?? (await proveImport(path, options, log));
  if (file.broken) {
    // Every earlier line was compared.
    const line = comparison.lineReached() + 1;
    throw new BadFile(`Line ${line}: ${describeFailure(file.broken)} Nothing was imported.`, line);
  }
  await comparison.finish(file.heads);
  await options.onProved?.(file);
  const added = await storeItems(log, items, comparison.heads, options, file.events);
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

const EMPTY_LOG: ComparedLog = { head: async () => 0, lastOf: async () => undefined, byId: async () => undefined };

export interface ImportProof {
  readonly file: FileVerification;
  readonly comparison: ReturnType<typeof createComparison>;
  /** The contents of a small file, so that it is not read and parsed twice. */
  readonly items?: readonly ExportItem[];
}

/** Verifies a file and compares it with a log, or with an empty log that does not exist yet. */
export async function proveImport(
  path: string,
  options: Omit<LogImportOptions, 'proof'> = {},
  log: ComparedLog = EMPTY_LOG,
): Promise<ImportProof> {
  const comparison = createComparison(log, path, options);
  const progressOptions = { signal: options.signal, ...(options.onProving && { onProgress: options.onProving }) };
  const items: ExportItem[] = [];
  const isSmall = statSync(path).size <= MAX_HELD_BYTES;
  const file = await verifyFile(path, progressOptions, (item) => {
    if (isSmall && item.kind === 'event') items.push({ kind: 'event', sealed: item.sealed, event: item.event });
    if (isSmall && item.kind === 'blob') items.push({ kind: 'blob', blob: item.blob });
    return comparison.compare(item);
  });
  return { file, comparison, ...(isSmall && { items }) };
}

/** `heads`: the seq each thread of the file has in this log before the import. */
async function storeItems(
  log: EventLog,
  items: Iterable<ExportItem> | AsyncIterable<ExportItem>,
  heads: Map<string, number>,
  { signal, derived: deriveRecords, onProgress, mine: isMine = false }: LogImportOptions,
  total: number,
): Promise<number> {
  let chunk: LinkedEvent[] = [];
  let parsedEvents: Event[] = [];
  /** The hash of each thread's last event read from the file so far. */
  const hashes = new Map<string, string>();
  const importedRanges = new Map<string, ImportedRanges | undefined>();
  let forks: Fork[] = [];
  let blobs: StoredBlob[] = [];
  let blobBytes = 0;
  let characters = 0;
  let eventsSeen = 0;
  let added = 0;
  for await (const item of items) {
    if (item.kind === 'blob') {
      blobs.push(item.blob);
      blobBytes += item.blob.body.length;
      if (blobBytes > CHUNK_CHARACTERS) await flushBlobs();
    }
    if (item.kind !== 'event') continue;
    eventsSeen++;
    const { sealed, event } = item;
    const previousHash = hashes.get(sealed.thread);
    hashes.set(sealed.thread, sealed.hash);
    if (sealed.seq <= headOf(sealed.thread)) continue;
    const fork = forkPointOf(event);
    // A fork starts from its parent's state, so the parent must already be in the log.
    const isParentPending = fork && chunk.some(({ thread }) => thread === fork.thread);
    if (isParentPending || chunk.length === CHUNK_EVENTS || characters > CHUNK_CHARACTERS) await flush();
    if (fork) forks.push({ thread: sealed.thread, parent: fork.thread, seq: fork.seq });
    const previous = previousHash ?? (fork ? (await log.lastOf(fork.thread, fork.seq))?.hash : undefined) ?? GENESIS;
    chunk.push({ ...sealed, previous });
    parsedEvents.push({ ...event, hash: sealed.hash });
    characters += sealed.body.length;
  }
  await flush();
  await flushBlobs();
  return added;

  /** Writes many blobs in one commit, because each commit waits for the disk. */
  async function flushBlobs() {
    if (blobs.length > 0) await log.putBlobs(blobs);
    blobs = [];
    blobBytes = 0;
  }

  async function flush() {
    if (chunk.length === 0) return;
    signal?.throwIfAborted();
    // Blobs go before the events that name them.
    await flushBlobs();
    const lastSeqs = new Map(chunk.map(({ thread, seq }) => [thread, seq]));
    const importRecords = await Promise.all([...lastSeqs].map(([thread, seq]) => importRecordFor(thread, seq)));
    const expected = [...lastSeqs.keys()].map((thread) => ({ thread, seq: headOf(thread) }));
    const records = [...importRecords, ...((await deriveRecords?.(chunk, parsedEvents)) ?? [])];
    const [outcome] = await log.append([{ expected, events: chunk, forks, records }]);
    if (outcome?.status !== 'committed') {
      throw new BadFile('Somebody wrote to one of these threads during the import. Run the same import again.');
    }
    for (const [thread, seq] of lastSeqs) heads.set(thread, seq);
    added += chunk.length;
    chunk = [];
    parsedEvents = [];
    forks = [];
    characters = 0;
    onProgress?.(eventsSeen, total);
  }

  async function importRecordFor(thread: string, lastSeq: number): Promise<RecordWrite> {
    const firstSeq = (chunk.find((sealed) => sealed.thread === thread) as SealedEvent).seq;
    const previousRanges = importedRanges.has(thread)
      ? importedRanges.get(thread)
      : await readImportedRanges(log, thread);
    const { after: newRanges, write } = addImportedRange(thread, previousRanges, firstSeq, lastSeq, isMine);
    importedRanges.set(thread, newRanges);
    return write;
  }

  function headOf(thread: string): number {
    return heads.get(thread) ?? 0;
  }
}

function droppedOf({ missing }: FileVerification): readonly DroppedData[] {
  if (missing.length === 0) return [];
  return [{ field: 'blobs', count: missing.length, why: 'the workspace they were exported from had lost them' }];
}
