import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Event } from '../../core/events/event.ts';
import { openBlob } from '../../log/blobs.ts';
import type { EventLog, StoredEvent } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { blobHashesOf } from '../export/export-log.ts';
import { blobLineOf, type ExportItemAt, type ExportTrailer, readExport } from '../export/jsonl.ts';
import { readLines } from '../lines.ts';
import { type ChainHead, createChain, failureAt, forkPointOf, type ProofFailure, workspaceHash } from './chain.ts';
import { createLoomProof } from './loom-proof.ts';
import { createOrderProof } from './order-proof.ts';
import { createReferenceProof } from './reference-proof.ts';

export interface Verification {
  readonly events: number;
  readonly threads: number;
  /** The thread's last hash; for a workspace, one hash over the heads of all threads. */
  readonly head: string;
  readonly heads: ReadonlyMap<string, ChainHead>;
  /** The head of the chain over the whole workspace: it also proves the order across threads (L24). */
  readonly order?: string;
  /** The first link that does not hold. */
  readonly broken?: ProofFailure;
}

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number): void;
}

const PAGE = 1000;

/**
 * Verifies every link of a workspace, or of one thread with its ancestors' part (L5), and the data the events rely
 * on: forks and blobs, and for a workspace the order across threads (L24).
 */
export async function verifyLog(
  log: EventLog,
  thread: string | undefined,
  options: ProgressOptions = {},
): Promise<Verification> {
  const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
  const loomProof = createLoomProof();
  const orderProof = thread ? undefined : createOrderProof(log);
  const references = createReferenceProof(log);
  let last: StoredEvent | undefined;
  const total = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
  let events = 0;
  const resultWith = (broken?: ProofFailure): Verification => ({
    events,
    threads: chain.heads.size,
    heads: chain.heads,
    head: thread ? (chain.heads.get(thread)?.hash ?? '') : workspaceHash(chain.heads),
    ...(orderProof?.head() && { order: orderProof.head() as string }),
    ...(broken && { broken }),
  });
  while (events < total) {
    options.signal?.throwIfAborted();
    const size = Math.min(PAGE, total - events);
    const rows = thread ? await log.readThread(thread, events, size) : await log.readAll(events, size);
    for (const row of rows) {
      if (!thread && row.position !== events + 1) return resultWith(gapFailure(row, events + 1));
      const link = await chain.follow(row);
      if ('broken' in link) return resultWith(link.broken);
      const failure =
        loomProof.follow(link.event) ?? (await references.follow(link.event)) ?? (await orderProof?.follow(row));
      if (failure) return resultWith(failure);
      last = row;
      events++;
    }
    if (rows.length === 0) break;
    options.onProgress?.(events, total);
  }
  return resultWith((await orderProof?.finish(last)) ?? (thread ? undefined : await references.finish(chain.heads)));
}

/** Verifies every line, link, blob and count of a file; throws BadFile, or reports where the chain breaks. */
export async function verifyFile(
  path: string,
  options: ProgressOptions = {},
  onItem?: OnExportItem,
): Promise<FileVerification> {
  const size = statSync(path).size;
  const forks = await readForkPoints(path, options.signal);
  const chain = createChain(forks.hashAt);
  const loomProof = createLoomProof();
  const namedBlobs = new Set<string>();
  const carriedBlobs = new Set<string>();
  let scope: string | undefined;
  let events = 0;
  let trailer: { readonly said: ExportTrailer; readonly raw: Buffer; readonly line: number } | undefined;
  const checksum = createHash('sha256');
  const resultWith = (broken?: ProofFailure) => ({
    events,
    threads: chain.heads.size,
    heads: chain.heads,
    head: scope ? (chain.heads.get(scope)?.hash ?? '') : workspaceHash(chain.heads),
    ...(scope && { scope }),
    ...(broken && { broken }),
    missing: [...namedBlobs].filter((hash) => !carriedBlobs.has(hash)),
    blobs: carriedBlobs.size,
  });
  for await (const item of readExport(path, options.signal)) {
    if (item.kind === 'header') scope = item.header.thread;
    if (item.kind === 'end') trailer = { said: item.trailer, raw: item.raw, line: item.line };
    else checksum.update(item.raw).update('\n');
    if (item.kind === 'blob') {
      await proveBlob(item);
      carriedBlobs.add(item.blob.hash);
    }
    if (item.kind === 'event') {
      const link = await chain.follow(item.sealed, item.event);
      if ('broken' in link) return resultWith(link.broken);
      const failure = loomProof.follow(link.event);
      if (failure) return resultWith(failure);
      forks.note(item.sealed);
      for (const hash of blobHashesOf(link.event)) namedBlobs.add(hash);
      events++;
      if (events % PAGE === 0) options.onProgress?.(item.bytes, size);
    }
    await onItem?.(item);
  }
  const verification = resultWith();
  if (trailer) checkTrailer(trailer, verification, checksum.digest('hex'));
  return verification;
}

export type OnExportItem = (item: ExportItemAt) => Promise<void> | void;

export interface FileVerification extends Verification {
  /** The exported thread; absent for a whole workspace. */
  readonly scope?: string;
  readonly blobs: number;
  /** Blobs that its events name but the file does not contain. */
  readonly missing: readonly string[];
}

const FORKED_FROM = Buffer.from('"forked_from"');

/** Collects the events that forks start after, so that only their hashes are kept while the file is read. */
async function readForkPoints(path: string, signal?: AbortSignal) {
  const parents = new Map<string, { thread: string; seq: number }>();
  for await (const { raw } of readLines(path, signal)) {
    if (!raw.includes(FORKED_FROM)) continue;
    const event = parseEvent(raw.toString());
    const forkPoint = event && forkPointOf(event);
    if (forkPoint) parents.set(event.thread, forkPoint);
  }
  const hashes = new Map<string, string | undefined>();
  for (const { thread, seq } of parents.values()) hashes.set(keyOf(thread, seq), undefined);

  /** A fork of a fork may start in the part its parent inherited. */
  function keyOf(thread: string, seq: number): string {
    let owner = thread;
    const visited = new Set<string>();
    for (
      let forkPoint = parents.get(owner);
      forkPoint && seq <= forkPoint.seq && !visited.has(owner);
      forkPoint = parents.get(owner)
    ) {
      visited.add(owner);
      owner = forkPoint.thread;
    }
    return `${owner} ${seq}`;
  }

  return {
    hashAt: async (thread: string, seq: number) => hashes.get(keyOf(thread, seq)),
    note({ thread, seq, hash }: { thread: string; seq: number; hash: string }) {
      const key = `${thread} ${seq}`;
      if (hashes.has(key)) hashes.set(key, hash);
    },
  };
}

function parseEvent(text: string): Event | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    // The full read that follows reports the line.
    return undefined;
  }
}

async function proveBlob({ line, blob, raw }: Extract<ExportItemAt, { kind: 'blob' }>) {
  const content = await openBlob(blob).catch(() => undefined);
  if (!content || !raw.equals(Buffer.from(blobLineOf(blob)))) {
    throw new BadFile(`Line ${line} contains a blob that does not match its hash: the file is damaged.`, line);
  }
}

function checkTrailer(
  { said: claimed, raw, line }: { readonly said: ExportTrailer; readonly raw: Buffer; readonly line: number },
  { events, blobs, missing, head, heads }: FileVerification,
  checksum: string,
) {
  if (claimed.events !== events || claimed.blobs !== blobs || claimed.head !== head) {
    const shortThread = Object.entries(claimed.heads).find(([thread, last]) => heads.get(thread)?.seq !== last?.seq);
    const where = shortThread ? ` Thread ${shortThread[0]} should end with event ${shortThread[1]?.seq}.` : '';
    throw new BadFile(
      `The export should contain ${claimed.events} events and ${claimed.blobs} blobs, but has ${events} and ${blobs}: lines are missing or were added, or its first or last line was changed.${where}`,
    );
  }
  if (claimed.sum !== undefined && claimed.sum !== checksum) {
    throw new BadFile(
      `Every event and blob holds, but the bytes are not those that were written: the first line, the packing of a blob, or the sum in line ${line} was changed.`,
    );
  }
  const expected: ExportTrailer = {
    end: true,
    events,
    blobs,
    missing,
    head,
    heads: Object.fromEntries(heads),
    ...(claimed.sum && { sum: checksum }),
  };
  if (!raw.equals(Buffer.from(JSON.stringify(expected)))) {
    throw new BadFile(`Line ${line}, the last one, was changed: it does not match the export.`, line);
  }
}

function gapFailure(row: StoredEvent, expected: number): ProofFailure {
  const why = `is number ${row.position} of the workspace, where number ${expected} should be: events were removed`;
  return failureAt(row, why);
}
