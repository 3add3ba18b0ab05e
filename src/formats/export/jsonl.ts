import { z } from 'zod';
import type { Event } from '../../core/events/event.ts';
import type { SealedEvent, StoredBlob } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { decodeLine, readLines } from '../lines.ts';

/*
 * An export is JSON Lines: a header; the events in commit order, each as the text that was hashed, with its hash
 * appended; each blob before the first event that names it; and a trailer that counts everything, names every head
 * and has the checksum of all bytes before it, so that truncation or a change is detected.
 */

export const FORMAT_VERSION = 1;
const MAX_DEPTH = 64;

const headerSchema = z.object({
  heddle: z.literal('export'),
  version: z.number(),
  /** The exported thread; absent when the export covers the whole workspace. */
  thread: z.string().max(64).exactOptional(),
  created: z.string(),
});
export type ExportHeader = Readonly<z.infer<typeof headerSchema>>;

const trailerSchema = z.object({
  end: z.literal(true),
  events: z.number(),
  blobs: z.number(),
  /** Blobs that events name but the log had lost. */
  missing: z.array(z.string()).readonly(),
  /** The thread's head hash, or one over all heads of the workspace. */
  head: z.string(),
  heads: z.record(z.string(), z.object({ seq: z.number(), hash: z.string() })),
  /** SHA-256 of every byte before this line. Exports of older versions have none. */
  sum: z.string().exactOptional(),
});
export type ExportTrailer = Readonly<z.infer<typeof trailerSchema>>;

export type ExportItem =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'event'; readonly sealed: SealedEvent; readonly event: Event }
  | { readonly kind: 'blob'; readonly blob: StoredBlob }
  | { readonly kind: 'end'; readonly trailer: ExportTrailer };

export type ExportItemAt = ExportItem & { readonly line: number; readonly bytes: number; readonly raw: Buffer };

export function blobLineOf({ hash, size, body }: StoredBlob): string {
  const packed = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  // Base64 needs no escaping and is long, so it skips JSON.stringify.
  return `{"blob":${JSON.stringify(hash)},"size":${JSON.stringify(size)},"gzip":"${packed}"}`;
}

/** Reads everything in an export, line by line. It checks the order; the caller checks the links. */
export async function* readExport(path: string, signal?: AbortSignal): AsyncGenerator<ExportItemAt> {
  let hasEnded = false;
  let isFirst = true;
  for await (const { raw, number, bytes } of readLines(path, signal)) {
    if (hasEnded) throw new BadFile(`Line ${number} comes after the end of the export. The file is damaged.`, number);
    const text = decodeLine({ raw, number });
    if (isFirst && !text.startsWith('{"heddle":"export"')) throw notAnExport(path);
    const item = parseLine(text, number);
    if (!isFirst && item.kind === 'header') throw badLine(number);
    if (item.kind === 'header') checkVersion(item.header);
    hasEnded = item.kind === 'end';
    isFirst = false;
    yield { ...item, line: number, bytes, raw };
  }
  if (isFirst) throw notAnExport(path);
  if (!hasEnded) throw new BadFile(`${path} was cut: its last line is missing. Use another copy, or export it again.`);
}

// A newer version may add fields to an event, so an event is recognised by its end.
const HASH_SUFFIX = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_LENGTH = ',"hash":""}'.length + 64;

function parseLine(text: string, line: number): ExportItem {
  const hash = HASH_SUFFIX.exec(text.slice(-HASH_LENGTH))?.[1];
  if (hash) return parseEventItem(text, hash, line);
  const value = parseObject(text, line);
  if (value.heddle === 'export') return { kind: 'header', header: parseShape(headerSchema, value, line) };
  if (value.end === true) return { kind: 'end', trailer: parseShape(trailerSchema, value, line) };
  if (typeof value.blob === 'string' && typeof value.size === 'number' && typeof value.gzip === 'string') {
    return { kind: 'blob', blob: { hash: value.blob, size: value.size, body: Buffer.from(value.gzip, 'base64') } };
  }
  throw badLine(line);
}

function parseEventItem(text: string, hash: string, line: number): ExportItem {
  const body = `${text.slice(0, -HASH_LENGTH)}}`;
  // The code that verifies links and imports the event checks the rest of it.
  const event = parseObject(body, line) as unknown as Event;
  const { id, thread, seq } = event;
  if (typeof id !== 'string' || typeof thread !== 'string' || typeof seq !== 'number') throw badLine(line);
  if (isTooDeep(event)) throw new BadFile(`Line ${line} is nested more than ${MAX_DEPTH} levels deep.`, line);
  return { kind: 'event', event, sealed: { id, thread, seq, hash, body } };
}

function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown, line: number): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw badLine(line);
  return result.data;
}

/** Whether an event nests deeper than any store accepts (L15); checked before any recursive code runs on it. */
function isTooDeep(event: object): boolean {
  const stack: { readonly value: object; readonly depth: number }[] = [{ value: event, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.depth > MAX_DEPTH) return true;
    for (const value of Object.values(next.value)) {
      if (typeof value === 'object' && value !== null) stack.push({ value, depth: next.depth + 1 });
    }
  }
  return false;
}

function parseObject(text: string, line: number): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw badLine(line);
}

function checkVersion({ version }: ExportHeader) {
  if (version === FORMAT_VERSION) return;
  throw new BadFile(
    `This export was written by a newer Heddle (format ${version}; this one reads ${FORMAT_VERSION}). Update Heddle and try again.`,
  );
}

function notAnExport(path: string): BadFile {
  return new BadFile(`${path} is not a Heddle export: its first line is not a header. Make one with "heddle export".`);
}

function badLine(line: number): BadFile {
  return new BadFile(`Line ${line} is not a line of an export: the file is damaged.`, line);
}
