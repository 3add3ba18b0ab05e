import { z } from 'zod';
import type { Event } from '../../core/events/event.ts';
import type { Sealed, StoredBlob } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { linesOf, textOfLine } from './lines.ts';

/*
 * An export is JSON Lines: a header; events as the text that was hashed, with
 * the hash put in at the end, in commit order; each blob before the first event
 * that names it; a trailer that counts everything, names every head and has the
 * sum of all bytes before it, so that a file that was cut or changed is seen.
 */

export const FORMAT_VERSION = 1;
const MAX_DEPTH = 64;

const header = z.object({
  heddle: z.literal('export'),
  version: z.number(),
  /** The one thread this is an export of; without it, it is the whole workspace. */
  thread: z.string().max(64).exactOptional(),
  created: z.string(),
});
export type Header = Readonly<z.infer<typeof header>>;

const trailer = z.object({
  end: z.literal(true),
  events: z.number(),
  blobs: z.number(),
  /** Blobs that events name and the log had lost. */
  missing: z.array(z.string()).readonly(),
  /** The thread's head hash, or one over all heads of the workspace. */
  head: z.string(),
  heads: z.record(z.string(), z.object({ seq: z.number(), hash: z.string() })),
  /** SHA-256 of every byte before this line. Exports of older versions have none. */
  sum: z.string().exactOptional(),
});
export type Trailer = Readonly<z.infer<typeof trailer>>;

export type Item =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'event'; readonly sealed: Sealed; readonly event: Event }
  | { readonly kind: 'blob'; readonly blob: StoredBlob }
  | { readonly kind: 'end'; readonly trailer: Trailer };

export type ItemAt = Item & { readonly line: number; readonly bytes: number; readonly raw: Buffer };

export function blobLine({ hash, size, body }: StoredBlob): string {
  const gzip = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  // Base64 needs no escapes, and is long: it is not looked through for any.
  return `{"blob":${JSON.stringify(hash)},"size":${JSON.stringify(size)},"gzip":"${gzip}"}`;
}

/** Everything in an export, line by line. Its order is checked here, its links by whoever follows them. */
export async function* readExport(path: string, signal?: AbortSignal): AsyncGenerator<ItemAt> {
  let ended = false;
  let first = true;
  for await (const { raw, number, bytes } of linesOf(path, signal)) {
    if (ended)
      throw new BadFile(`Line ${number} comes after the end of the export. Nothing may follow the last line.`, number);
    const text = textOfLine({ raw, number });
    if (first && !text.startsWith('{"heddle":"export"')) throw noExport(path);
    const item = parse(text, number);
    if (!first && item.kind === 'header') throw notALine(number);
    if (item.kind === 'header') checkVersion(item.header);
    ended = item.kind === 'end';
    first = false;
    yield { ...item, line: number, bytes, raw };
  }
  if (first) throw noExport(path);
  if (!ended) throw new BadFile(`${path} was cut: its last line is missing. Use another copy, or export it again.`);
}

// A newer version may add parts to an event, so an event is known by its end.
const HASHED = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_LENGTH = ',"hash":""}'.length + 64;

function parse(text: string, line: number): Item {
  const hash = HASHED.exec(text.slice(-HASH_LENGTH))?.[1];
  if (hash) return eventItem(text, hash, line);
  const value = json(text, line);
  if (value.heddle === 'export') return { kind: 'header', header: shaped(header, value, line) };
  if (value.end === true) return { kind: 'end', trailer: shaped(trailer, value, line) };
  if (typeof value.blob === 'string' && typeof value.size === 'number' && typeof value.gzip === 'string') {
    return { kind: 'blob', blob: { hash: value.blob, size: value.size, body: Buffer.from(value.gzip, 'base64') } };
  }
  throw notALine(line);
}

function eventItem(text: string, hash: string, line: number): Item {
  const body = `${text.slice(0, -HASH_LENGTH)}}`;
  const event = json(body, line) as unknown as Event;
  const { id, thread, seq } = event;
  if (typeof id !== 'string' || typeof thread !== 'string' || typeof seq !== 'number') throw notALine(line);
  if (isDeep(event)) throw new BadFile(`Line ${line} is nested more than ${MAX_DEPTH} levels deep.`, line);
  return { kind: 'event', event, sealed: { id, thread, seq, hash, body } };
}

function shaped<Schema extends z.ZodType>(schema: Schema, value: unknown, line: number): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw notALine(line);
  return parsed.data;
}

/** Deeper than any event that a store takes (L15): seen before anything goes into it step by step. */
function isDeep(event: object): boolean {
  const open: { readonly value: object; readonly depth: number }[] = [{ value: event, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > MAX_DEPTH) return true;
    for (const value of Object.values(next.value)) {
      if (typeof value === 'object' && value !== null) open.push({ value, depth: next.depth + 1 });
    }
  }
  return false;
}

function json(text: string, line: number): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw notALine(line);
}

function checkVersion({ version }: Header) {
  if (version === FORMAT_VERSION) return;
  throw new BadFile(
    `This export was written by a newer Heddle (format ${version}; this one reads ${FORMAT_VERSION}). Update Heddle and try again.`,
  );
}

function noExport(path: string): BadFile {
  return new BadFile(`${path} is not a Heddle export: its first line is not a header. Make one with "heddle export".`);
}

function notALine(line: number): BadFile {
  return new BadFile(`Line ${line} is not a line of an export: the file is damaged.`, line);
}
