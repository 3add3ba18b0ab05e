import { MEGABYTE } from '../../core/agent-limits.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { AcceptedCommand } from '../../engine/handle.ts';
import { detectFormat, importLooms } from '../../formats/loom/import.ts';
import type { ImportedLoom, LoomFile, LoomFormat } from '../../formats/loom/tree.ts';
import { filePiece, type WireImportedLoom } from '../../protocol/loom-files.ts';
import type { LoomReader } from './reader.ts';

/** About the longest string that V8 allows. */
const MAX_BYTES = 400 * 1024 * 1024;
/** A line is held in memory; our own clients send lines of a quarter of this size. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/** Reads files from an upload, whose lines are pieces of them. */
export async function readUploadedFiles(
  chunks: AsyncIterable<Uint8Array>,
  /** The import limit of an agent, in bytes (T23). */
  limit?: number,
): Promise<readonly UploadedFile[] | Refusal> {
  const files: { name: string; pieces: Buffer[] }[] = [];
  let size = 0;
  for await (const line of splitLines(chunks)) {
    if (line === undefined) return refuse('malformed', 'A line of the upload is over 4 MiB. Send a file in pieces.');
    if (line.trim() === '') continue;
    const piece = filePiece.safeParse(parseJson(line));
    if (!piece.success) return refuse('malformed', 'A line of the upload is not {"name": …, "base64": …}.');
    const { name, base64 } = piece.data;
    const bytes = Buffer.from(base64, 'base64');
    size += bytes.length;
    if (limit !== undefined && size > limit) return overImportLimit(limit);
    if (size > MAX_BYTES)
      return refuse('too_large', 'The files are over 400 MiB in total. Nothing was imported; send fewer at a time.');
    const last = files.at(-1);
    if (last?.name === name) last.pieces.push(bytes);
    else files.push({ name, pieces: [bytes] });
  }
  return files;
}

export interface UploadedFile {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
}

export function joinPieces({ name, pieces }: UploadedFile): LoomFile {
  return { name, content: Buffer.concat(pieces) };
}

function overImportLimit(limit: number): Refusal {
  return refuse(
    'limit_reached',
    `The files are over the ${limit / MEGABYTE} MB that an agent may import at once. Nothing was imported; send fewer or smaller files, or ask a human to raise "limits.agents.import_mb" in heddle.yaml.`,
    { limit },
  );
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    if (rest.length > MAX_LINE_LENGTH) yield undefined;
    yield* lines;
  }
  yield rest;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Chats of one folder become one loom; every other file becomes its own. All files are parsed before any is stored
 * (W26).
 */
export function parseLooms(files: readonly LoomFile[], format: LoomFormat | 'auto'): readonly ParsedLoom[] | Refusal {
  const heddleExport = files.find(({ content }) => isExport(content));
  if (heddleExport) {
    return refuse('bad_file', `${heddleExport.name} is a Heddle export. Import it with "heddle import".`);
  }
  if (files.length <= 1) return parseGroup(files, format);
  const chats = files.filter(({ name, content }) => isChat(name, content, format));
  const groups = [
    ...(chats.length > 0 ? [chats] : []),
    ...files.filter((file) => !chats.includes(file)).map((f) => [f]),
  ];
  const parsedLooms: ParsedLoom[] = [];
  for (const group of groups) {
    const looms = parseGroup(group, format);
    if (isRefusal(looms)) return looms;
    parsedLooms.push(...looms);
  }
  return parsedLooms;
}

/** A loom and the file it came from; for a folder of chats, the first file. */
export type ParsedLoom = ImportedLoom & { readonly file: string };

function parseGroup(files: readonly LoomFile[], format: LoomFormat | 'auto'): readonly ParsedLoom[] | Refusal {
  const looms = importLooms(files, format);
  if (isRefusal(looms)) return looms;
  const file = (files[0]?.name ?? '').replace(/^.*[\\/]/, '').slice(0, 255) || 'unnamed';
  return looms.map((loom) => ({ ...loom, file }));
}

function isExport(content: LoomFile['content']): boolean {
  const start = typeof content === 'string' ? content.slice(0, 40) : Buffer.from(content.subarray(0, 40)).toString();
  return start.startsWith('{"heddle":"export"');
}

function isChat(name: string, content: LoomFile['content'], format: LoomFormat | 'auto'): boolean {
  if (format !== 'auto') return format === 'sillytavern';
  if (!/\.jsonl$/i.test(name)) return false;
  const detection = detectFormat(typeof content === 'string' ? content : Buffer.from(content).toString(), name);
  return !isRefusal(detection) && detection.format === 'sillytavern';
}

interface LoomStoreOptions {
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Stores each tree as a loom, part by part. Each part is stored completely or not at all. */
export async function storeLooms(
  engine: Engine,
  actor: Actor,
  { looms: uploads, ...reader }: LoomReader,
  { signal, onProgress }: LoomStoreOptions,
): Promise<WireImportedLoom[]> {
  const total = uploads.reduce((sum, { nodes }) => sum + nodes, 0);
  const looms: WireImportedLoom[] = [];
  let done = 0;
  for (const [loom, upload] of uploads.entries()) {
    const { title: originalTitle, system } = upload;
    let secretCount = 0;
    const { title, setup } = redact({ title: originalTitle, setup: system === undefined ? {} : { system } });
    const creation = await runCommand({ name: 'create', input: { title, kind: 'loom', setup, invite: [] } });
    const thread = creation.events[0]?.thread as string;
    const file = { name: upload.file, format: upload.format };
    for (let part = await reader.next(loom); part; part = await reader.next(loom)) {
      signal.throwIfAborted();
      await runCommand({ name: 'import_tree', input: { thread, ...redact({ ...part, file }) } });
      done += part.nodes.length;
      onProgress(done, total);
    }
    const { format, nodes, dropped, secretsRemoved, problems } = await reader.report(loom);
    const importReport = { dropped, secrets_removed: secretsRemoved + secretCount, problems };
    looms.push({ id: thread, title, format, nodes, report: importReport });

    /** Removes this workspace's own keys, which no general pattern matches. */
    function redact<T>(value: T): T {
      const text = JSON.stringify(value);
      if (!engine.secrets.check(text)) return value;
      secretCount++;
      return JSON.parse(engine.secrets.remove(text));
    }
  }
  return looms;

  async function runCommand(command: Command): Promise<AcceptedCommand<State>> {
    const result = await engine.handle(actor, command);
    if (isRefusal(result)) throw result;
    return result;
  }
}
