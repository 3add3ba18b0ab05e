import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Event } from '../../core/events/event.ts';
import { openBlob } from '../../log/blobs.ts';
import type { EventLog, Stored } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { blobsOf } from '../export/export-log.ts';
import { blobLine, type ItemAt, readExport, type Trailer } from '../export/jsonl.ts';
import { linesOf } from '../export/lines.ts';
import { type Broken, createChain, forkedFrom, type Head, workspaceHash } from './chain.ts';
import { createLoomProof } from './loom-proof.ts';
import { createOrderProof } from './order-proof.ts';
import { createBesideProof } from './reference-proof.ts';

export interface Verified {
  readonly events: number;
  readonly threads: number;
  /** The thread's last hash; for a workspace one hash over the heads of all its threads. */
  readonly head: string;
  readonly heads: ReadonlyMap<string, Head>;
  /** The head of the chain over the whole workspace: it also proves the order across threads (L24). */
  readonly order?: string;
  /** The first link that does not hold. */
  readonly broken?: Broken;
}

export interface Watched {
  readonly signal?: AbortSignal | undefined;
  progress?(done: number, total: number): void;
}

const PAGE = 1000;

/**
 * Proves every link of a workspace, or of one thread with its ancestors' part (L5), and what the events rely on beside
 * them: forks and blobs, and for a workspace the order across threads (L24).
 */
export async function verifyLog(log: EventLog, thread: string | undefined, watched: Watched = {}): Promise<Verified> {
  const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
  const looms = createLoomProof();
  const order = thread ? undefined : createOrderProof(log);
  const beside = createBesideProof(log);
  let last: Stored | undefined;
  const total = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
  let events = 0;
  const result = (broken?: Broken): Verified => ({
    events,
    threads: chain.heads.size,
    heads: chain.heads,
    head: thread ? (chain.heads.get(thread)?.hash ?? '') : workspaceHash(chain.heads),
    ...(order?.head() && { order: order.head() as string }),
    ...(broken && { broken }),
  });
  while (events < total) {
    watched.signal?.throwIfAborted();
    const size = Math.min(PAGE, total - events);
    const rows = thread ? await log.readThread(thread, events, size) : await log.readAll(events, size);
    for (const row of rows) {
      if (!thread && row.position !== events + 1) return result(gap(row, events + 1));
      const link = await chain.follow(row);
      if ('broken' in link) return result(link.broken);
      const untrue = looms.follow(link.event) ?? (await beside.follow(link.event)) ?? (await order?.follow(row));
      if (untrue) return result(untrue);
      last = row;
      events++;
    }
    if (rows.length === 0) break;
    watched.progress?.(events, total);
  }
  return result((await order?.finish(last)) ?? (thread ? undefined : await beside.finish(chain.heads)));
}

/** A file whose every line, link, blob and count holds; throws BadFile, or says where the chain breaks. */
export async function verifyFile(path: string, watched: Watched = {}, each?: EachItem): Promise<VerifiedFile> {
  const size = statSync(path).size;
  const forks = await forkPoints(path, watched.signal);
  const chain = createChain(forks.hashAt);
  const looms = createLoomProof();
  const named = new Set<string>();
  const carried = new Set<string>();
  let scope: string | undefined;
  let events = 0;
  let trailer: { readonly said: Trailer; readonly raw: Buffer; readonly line: number } | undefined;
  const sum = createHash('sha256');
  const result = (broken?: Broken) => ({
    events,
    threads: chain.heads.size,
    heads: chain.heads,
    head: scope ? (chain.heads.get(scope)?.hash ?? '') : workspaceHash(chain.heads),
    ...(scope && { scope }),
    ...(broken && { broken }),
    missing: [...named].filter((hash) => !carried.has(hash)),
    blobs: carried.size,
  });
  for await (const item of readExport(path, watched.signal)) {
    if (item.kind === 'header') scope = item.header.thread;
    if (item.kind === 'end') trailer = { said: item.trailer, raw: item.raw, line: item.line };
    else sum.update(item.raw).update('\n');
    if (item.kind === 'blob') {
      await proveBlob(item);
      carried.add(item.blob.hash);
    }
    if (item.kind === 'event') {
      const link = await chain.follow(item.sealed, item.event);
      if ('broken' in link) return result(link.broken);
      const untrue = looms.follow(link.event);
      if (untrue) return result(untrue);
      forks.note(item.sealed);
      for (const hash of blobsOf(link.event)) named.add(hash);
      events++;
      if (events % PAGE === 0) watched.progress?.(item.bytes, size);
    }
    await each?.(item);
  }
  const verified = result();
  if (trailer) compare(trailer, verified, sum.digest('hex'));
  return verified;
}

export type EachItem = (item: ItemAt) => Promise<void> | void;

export interface VerifiedFile extends Verified {
  /** The thread it is an export of; absent for a whole workspace. */
  readonly scope?: string;
  readonly blobs: number;
  /** Blobs its events name and it does not carry. */
  readonly missing: readonly string[];
}

const FORKED_FROM = Buffer.from('"forked_from"');

/** Which events forks begin after, so that only their hashes are kept while the file goes by. */
async function forkPoints(path: string, signal?: AbortSignal) {
  const parents = new Map<string, { thread: string; seq: number }>();
  for await (const { raw } of linesOf(path, signal)) {
    if (!raw.includes(FORKED_FROM)) continue;
    const event = parse(raw.toString());
    const fork = event && forkedFrom(event);
    if (fork) parents.set(event.thread, fork);
  }
  const hashes = new Map<string, string | undefined>();
  for (const { thread, seq } of parents.values()) hashes.set(keyOf(thread, seq), undefined);

  /** A fork of a fork may begin in what that one inherited. */
  function keyOf(thread: string, seq: number): string {
    let owner = thread;
    const passed = new Set<string>();
    for (let up = parents.get(owner); up && seq <= up.seq && !passed.has(owner); up = parents.get(owner)) {
      passed.add(owner);
      owner = up.thread;
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

function parse(text: string): Event | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    // The reading that follows says which line it is.
    return undefined;
  }
}

async function proveBlob({ line, blob, raw }: Extract<ItemAt, { kind: 'blob' }>) {
  const content = await openBlob(blob).catch(() => undefined);
  if (!content || !raw.equals(Buffer.from(blobLine(blob)))) {
    throw new BadFile(`Line ${line} holds a blob that is not what its hash says: the file is damaged.`, line);
  }
}

function compare(
  { said, raw, line }: { readonly said: Trailer; readonly raw: Buffer; readonly line: number },
  { events, blobs, missing, head, heads }: VerifiedFile,
  sum: string,
) {
  if (said.events !== events || said.blobs !== blobs || said.head !== head) {
    const short = Object.entries(said.heads).find(([thread, last]) => heads.get(thread)?.seq !== last?.seq);
    const where = short ? ` Thread ${short[0]} should end with event ${short[1]?.seq}.` : '';
    throw new BadFile(
      `The export should hold ${said.events} events and ${said.blobs} blobs, and has ${events} and ${blobs}: lines are missing or were added, or its first or last line was changed.${where}`,
    );
  }
  if (said.sum !== undefined && said.sum !== sum) {
    throw new BadFile(
      `Every event and blob holds, but the bytes are not those that were written: the first line, the packing of a blob, or the sum in line ${line} was changed.`,
    );
  }
  const whole: Trailer = {
    end: true,
    events,
    blobs,
    missing,
    head,
    heads: Object.fromEntries(heads),
    ...(said.sum && { sum }),
  };
  if (!raw.equals(Buffer.from(JSON.stringify(whole)))) {
    throw new BadFile(`Line ${line}, the last one, was changed: it does not say what the export holds.`, line);
  }
}

function gap(row: { thread: string; seq: number; id: string; position: number }, expected: number): Broken {
  const { thread, seq, id } = row;
  return {
    thread,
    seq,
    id,
    why: `is number ${row.position} of the workspace, where number ${expected} should be: events were removed`,
  };
}
