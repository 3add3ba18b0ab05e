import { MEGABYTE } from '../../core/agent-limits.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Done } from '../../engine/handle.ts';
import { detect, importLooms } from '../../formats/loom/import.ts';
import type { Imported, LoomFile, LoomFormat } from '../../formats/loom/tree.ts';
import { filePiece, type WireImportedLoom } from '../../protocol/loom-files.ts';
import type { LoomReader } from './reader.ts';

/** A string of this size is about the longest there can be. */
const MOST_BYTES = 400 * 1024 * 1024;
/** A line is read in one go; our own clients send pieces of a quarter of this. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Files out of an upload, whose lines are pieces of them. */
export async function filesOf(
  chunks: AsyncIterable<Uint8Array>,
  /** What an agent may import at once, in bytes (T23). */
  limit?: number,
): Promise<readonly UploadedFile[] | Refusal> {
  const files: { name: string; pieces: Buffer[] }[] = [];
  let size = 0;
  for await (const line of linesOf(chunks)) {
    if (line === undefined) return refuse('malformed', 'A line of the upload is over 4 MiB. Send a file in pieces.');
    if (line.trim() === '') continue;
    const piece = filePiece.safeParse(parsed(line));
    if (!piece.success) return refuse('malformed', 'A line of the upload is not {"name": …, "base64": …}.');
    const { name, base64 } = piece.data;
    const bytes = Buffer.from(base64, 'base64');
    size += bytes.length;
    if (limit !== undefined && size > limit) return overLimit(limit);
    if (size > MOST_BYTES)
      return refuse('too_large', 'The files are over 400 MiB together. Nothing was imported; send fewer at a time.');
    const last = files.at(-1);
    if (last?.name === name) last.pieces.push(bytes);
    else files.push({ name, pieces: [bytes] });
  }
  return files;
}

/** A file as it came in. */
export interface UploadedFile {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
}

export function whole({ name, pieces }: UploadedFile): LoomFile {
  return { name, content: Buffer.concat(pieces) };
}

function overLimit(limit: number): Refusal {
  return refuse(
    'limit_reached',
    `The files are over the ${limit / MEGABYTE} MB that an agent may import at once. Nothing was imported; send fewer or smaller files, or ask a human to raise "limits.agents.import_mb" in heddle.yaml.`,
    { limit },
  );
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    if (rest.length > LONGEST_LINE) yield undefined;
    yield* lines;
  }
  yield rest;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Chats of one folder are one loom; of other files each is its own. All are read before any is stored (W26). */
export function readAll(files: readonly LoomFile[], format: LoomFormat | 'auto'): readonly ReadLoom[] | Refusal {
  const ours = files.find(({ content }) => isExport(content));
  if (ours) {
    return refuse('bad_file', `${ours.name} is an export of Heddle. Bring it in with "heddle import".`);
  }
  if (files.length <= 1) return read(files, format);
  const chats = files.filter(({ name, content }) => isChat(name, content, format));
  const groups = [
    ...(chats.length > 0 ? [chats] : []),
    ...files.filter((file) => !chats.includes(file)).map((f) => [f]),
  ];
  const all: ReadLoom[] = [];
  for (const group of groups) {
    const looms = read(group, format);
    if (isRefusal(looms)) return looms;
    all.push(...looms);
  }
  return all;
}

/** A loom, and the file it was read from; of a folder of chats the first. */
export type ReadLoom = Imported & { readonly file: string };

function read(files: readonly LoomFile[], format: LoomFormat | 'auto'): readonly ReadLoom[] | Refusal {
  const looms = importLooms(files, format);
  if (isRefusal(looms)) return looms;
  const file = (files[0]?.name ?? '').replace(/^.*[\\/]/, '').slice(0, 255) || 'unnamed';
  return looms.map((loom) => ({ ...loom, file }));
}

function isExport(content: LoomFile['content']): boolean {
  const begin = typeof content === 'string' ? content.slice(0, 40) : Buffer.from(content.subarray(0, 40)).toString();
  return begin.startsWith('{"heddle":"export"');
}

function isChat(name: string, content: LoomFile['content'], format: LoomFormat | 'auto'): boolean {
  if (format !== 'auto') return format === 'sillytavern';
  if (!/\.jsonl$/i.test(name)) return false;
  const detected = detect(typeof content === 'string' ? content : Buffer.from(content).toString(), name);
  return !isRefusal(detected) && detected.format === 'sillytavern';
}

interface Storing {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Each tree becomes a loom, part by part; a part is stored whole or not at all. */
export async function storeLooms(
  engine: Engine,
  actor: Actor,
  { looms: heads, ...reader }: LoomReader,
  { signal, progress }: Storing,
): Promise<WireImportedLoom[]> {
  const total = heads.reduce((sum, { nodes }) => sum + nodes, 0);
  const looms: WireImportedLoom[] = [];
  let done = 0;
  for (const [loom, head] of heads.entries()) {
    const { title: wanted, system } = head;
    let secrets = 0;
    const { title, setup } = clean({ title: wanted, setup: system === undefined ? {} : { system } });
    const created = await carryOut({ name: 'create', input: { title, kind: 'loom', setup, invite: [] } });
    const thread = created.events[0]?.thread as string;
    const file = { name: head.file, format: head.format };
    for (let part = await reader.next(loom); part; part = await reader.next(loom)) {
      signal.throwIfAborted();
      await carryOut({ name: 'import_tree', input: { thread, ...clean({ ...part, file }) } });
      done += part.nodes.length;
      progress(done, total);
    }
    const { format, nodes, dropped, secretsRemoved, problems } = await reader.report(loom);
    const told = { dropped, secrets_removed: secretsRemoved + secrets, problems };
    looms.push({ id: thread, title, format, nodes, report: told });

    /** Keys of this very workspace, which no pattern knows. */
    function clean<T>(value: T): T {
      const text = JSON.stringify(value);
      if (!engine.secrets.check(text)) return value;
      secrets++;
      return JSON.parse(engine.secrets.remove(text));
    }
  }
  return looms;

  async function carryOut(command: Command): Promise<Done<State>> {
    const handled = await engine.handle(actor, command);
    if (isRefusal(handled)) throw handled;
    return handled;
  }
}
