import { createHash } from 'node:crypto';
import type { Event } from '../../core/events/event.ts';
import type { ThreadSummary } from '../../core/threads/view/view.ts';
import { type EventLog, exportLine, type Stored } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { BadFile } from '../bad-file.ts';
import { createChain, sentenceOf, workspaceHash } from '../verify/chain.ts';
import { blobLine, FORMAT_VERSION, type Header, type Trailer } from './jsonl.ts';

export interface ExportOptions {
  /** Only this thread, with the part of its ancestors it can see. */
  readonly thread?: string;
  readonly created: string;
  readonly signal?: AbortSignal;
  progress?(done: number, total: number): void;
}

const PAGE = 500;

/**
 * The log as lines, a page at a time. What was appended after it began is left
 * out, so the result is one consistent state while others go on writing.
 * Every link is proved on the way: a damaged log makes no export.
 */
export async function* exportLog(log: EventLog, options: ExportOptions): AsyncGenerator<string, Trailer> {
  const { thread, created, signal, progress } = options;
  const chain = createChain(async (parent, seq) => (await log.lastOf(parent, seq))?.hash);
  const carried = new Set<string>();
  const missing: string[] = [];
  const total = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
  const sum = createHash('sha256');
  let events = 0;

  const header: Header = { heddle: 'export', version: FORMAT_VERSION, ...(thread && { thread }), created };
  yield summed(`${JSON.stringify(header)}\n`);
  for await (const rows of thread ? threadPages(log, thread, total) : workspacePages(log, total)) {
    signal?.throwIfAborted();
    let text = '';
    for (const row of rows) {
      const link = await chain.follow(row);
      if ('broken' in link) throw new BadFile(`${sentenceOf(link.broken)} Nothing was exported; see "heddle verify".`);
      for (const hash of blobsOf(link.event)) text += await blob(hash);
      text += `${exportLine(row)}\n`;
    }
    events += rows.length;
    yield summed(text);
    progress?.(events, total);
  }
  const trailer: Trailer = {
    end: true,
    events,
    blobs: carried.size - missing.length,
    missing,
    head: thread ? (chain.heads.get(thread)?.hash ?? '') : workspaceHash(chain.heads),
    heads: Object.fromEntries(chain.heads),
    sum: sum.digest('hex'),
  };
  yield `${JSON.stringify(trailer)}\n`;
  return trailer;

  function summed(text: string): string {
    sum.update(text);
    return text;
  }

  async function blob(hash: string): Promise<string> {
    if (carried.has(hash)) return '';
    carried.add(hash);
    const stored = await log.blob(hash);
    if (stored) return `${blobLine(stored)}\n`;
    missing.push(hash);
    return '';
  }
}

export function blobsOf({ meta }: Event): readonly string[] {
  return Array.isArray(meta.blobs) ? meta.blobs.filter((hash) => typeof hash === 'string') : [];
}

async function* workspacePages(log: EventLog, head: number): AsyncGenerator<readonly Stored[]> {
  for (let position = 0; position < head; position += PAGE) {
    yield await log.readAll(position, Math.min(PAGE, head - position));
  }
}

/** The oldest ancestor's part first, so that every fork comes after the event it begins at. */
async function* threadPages(log: EventLog, thread: string, head: number): AsyncGenerator<readonly Stored[]> {
  for (const part of await partsOf(log, thread, head)) {
    for (let seq = part.first - 1; seq < part.last; ) {
      const rows = await log.readThread(part.thread, seq, Math.min(PAGE, part.last - seq));
      if (rows.length === 0) break;
      yield rows;
      seq += rows.length;
    }
  }
}

interface Part {
  readonly thread: string;
  readonly first: number;
  readonly last: number;
}

/**
 * A fork may begin in what its parent itself inherited. The parent's first event
 * is carried even then: it is what says where the parent came from.
 */
async function partsOf(log: EventLog, thread: string, head: number): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let wanted = head;
  for (let at: string | undefined = thread; at !== undefined; ) {
    const row = await log.record(THREAD_INDEX, at);
    const fork = row === undefined ? undefined : (JSON.parse(row) as ThreadSummary).forked_from;
    const first = (fork?.seq ?? 0) + 1;
    parts.push({ thread: at, first, last: Math.max(wanted, first) });
    wanted = fork?.seq ?? 0;
    at = fork?.thread;
  }
  return parts.reverse();
}
