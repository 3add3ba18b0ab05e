import { createHash } from 'node:crypto';
import type { Event } from '../../core/events/event.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import { type EventLog, exportLineOf, type StoredEvent } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { BadFile } from '../bad-file.ts';
import { createChain, describeFailure, workspaceHash } from '../verify/chain.ts';
import { blobLineOf, type ExportHeader, type ExportTrailer, FORMAT_VERSION } from './jsonl.ts';

export interface LogExportOptions {
  /** Only this thread, with the part of its ancestors it can see. */
  readonly thread?: string;
  readonly created: string;
  readonly signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

const PAGE = 500;
const MAX_PIECE_LENGTH = 8 * 1024 * 1024;

/**
 * Yields the log as lines, one page at a time. Events appended after the export began are left out, so the result is
 * one consistent state even while others write. Every link is verified on the way: a damaged log is never exported.
 */
export async function* exportLog(log: EventLog, options: LogExportOptions): AsyncGenerator<string, ExportTrailer> {
  const { thread, created, signal, onProgress } = options;
  const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
  const exportedBlobs = new Set<string>();
  const missing: string[] = [];
  const total = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
  const checksum = createHash('sha256');
  let events = 0;

  const header: ExportHeader = { heddle: 'export', version: FORMAT_VERSION, ...(thread && { thread }), created };
  yield addToChecksum(`${JSON.stringify(header)}\n`);
  for await (const rows of thread ? threadPages(log, thread, total) : workspacePages(log, total)) {
    signal?.throwIfAborted();
    let text = '';
    for (const row of rows) {
      const link = await chain.follow(row);
      if ('broken' in link)
        throw new BadFile(`${describeFailure(link.broken)} Nothing was exported; see "heddle verify".`);
      for (const hash of blobHashesOf(link.event)) {
        const line = await exportBlob(hash);
        // A page of events may name more bytes than one text can hold.
        if (text !== '' && text.length + line.length > MAX_PIECE_LENGTH) {
          yield addToChecksum(text);
          text = '';
        }
        text += line;
      }
      text += `${exportLineOf(row)}\n`;
    }
    events += rows.length;
    yield addToChecksum(text);
    onProgress?.(events, total);
  }
  const trailer: ExportTrailer = {
    end: true,
    events,
    blobs: exportedBlobs.size - missing.length,
    missing,
    head: thread ? (chain.heads.get(thread)?.hash ?? '') : workspaceHash(chain.heads),
    heads: Object.fromEntries(chain.heads),
    sum: checksum.digest('hex'),
  };
  yield `${JSON.stringify(trailer)}\n`;
  return trailer;

  function addToChecksum(text: string): string {
    checksum.update(text);
    return text;
  }

  async function exportBlob(hash: string): Promise<string> {
    if (exportedBlobs.has(hash)) return '';
    exportedBlobs.add(hash);
    const storedBlob = await log.blob(hash);
    if (storedBlob) return `${blobLineOf(storedBlob)}\n`;
    missing.push(hash);
    return '';
  }
}

export function blobHashesOf({ meta }: Event): readonly string[] {
  return Array.isArray(meta.blobs) ? meta.blobs.filter((hash) => typeof hash === 'string') : [];
}

async function* workspacePages(log: EventLog, head: number): AsyncGenerator<readonly StoredEvent[]> {
  for (let position = 0; position < head; position += PAGE) {
    yield await log.readAll(position, Math.min(PAGE, head - position));
  }
}

/** Yields the oldest ancestor's part first, so that every fork comes after the event it starts from. */
async function* threadPages(log: EventLog, thread: string, head: number): AsyncGenerator<readonly StoredEvent[]> {
  for (const part of await threadPartsOf(log, thread, head)) {
    for (let seq = part.first - 1; seq < part.last; ) {
      const rows = await log.readThread(part.thread, seq, Math.min(PAGE, part.last - seq));
      if (rows.length === 0) break;
      yield rows;
      seq += rows.length;
    }
  }
}

interface ThreadPart {
  readonly thread: string;
  readonly first: number;
  readonly last: number;
}

/**
 * A fork may start in the part its parent inherited. Even then the parent's first event is included, because it says
 * where the parent came from.
 */
async function threadPartsOf(log: EventLog, thread: string, head: number): Promise<readonly ThreadPart[]> {
  const parts: ThreadPart[] = [];
  let lastSeq = head;
  for (let current: string | undefined = thread; current !== undefined; ) {
    const row = await log.record(THREAD_INDEX, current);
    const fork = row === undefined ? undefined : (JSON.parse(row) as ThreadSummary).forked_from;
    const first = (fork?.seq ?? 0) + 1;
    parts.push({ thread: current, first, last: Math.max(lastSeq, first) });
    lastSeq = fork?.seq ?? 0;
    current = fork?.thread;
  }
  return parts.reverse();
}
