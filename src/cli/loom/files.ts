import { openAsBlob, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NamedFile, WireImportedLoom } from '../../client/index.ts';
import { loomExportFormats, loomFileFormats } from '../../protocol/loom-files.ts';
import { adopt } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { exportToFile } from '../commands/export.ts';
import { sendExport } from '../commands/import.ts';
import { viaServerOrLog, withClient, withLog } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { assertUtf8 } from '../input/text.ts';
import { writeFileAtomically } from '../output/file.ts';
import { createImportProgress, IMPORT_STOPPED } from '../output/import-report.ts';
import { createProgress, interruptSignal, withStopMessage } from '../output/progress.ts';
import { oneLine, sanitize } from '../output/text.ts';
import { findThreadInLog } from '../threads/find.ts';
import { withLoom } from './find.ts';

type LoomFileFormat = (typeof loomFileFormats)[number] | 'auto';

/** Imports files of other programs as looms and reports what each lost; a Heddle export is restored unchanged (W26). */
export async function importFiles(cli: Cli, paths: readonly string[], { format }: { format: string }): Promise<void> {
  const { out } = cli;
  if (format !== 'auto' && !loomFileFormats.some((each) => each === format))
    throw usageError(`There is no format "${format}". Known formats: auto, ${loomFileFormats.join(', ')}.`);
  const files = paths.flatMap(listFiles);
  const isOwnExport = await Promise.all(files.map(isExport));
  for (const [i, path] of files.entries()) if (isOwnExport[i]) printImportedLoom(cli, await importOwnExport(cli, path));
  const foreignFiles = files.filter((_, i) => !isOwnExport[i]);
  if (foreignFiles.length === 0) return;
  const progress = createProgress(out, 'Storing', 'nodes');
  const namedFiles: NamedFile[] = [];
  for (const path of foreignFiles) await assertUtf8(path);
  for (const path of foreignFiles) namedFiles.push({ name: basename(path), content: await openAsBlob(path) });
  const signal = interruptSignal();
  const work = withClient(cli, (client) =>
    client.looms.import(namedFiles, {
      format: format as LoomFileFormat,
      signal,
      onProgress: ({ done, total }) => progress.update(done, total),
    }),
  );
  const stopMessage = 'Stopped. A partly imported loom keeps the nodes stored so far; "heddle threads" lists it.';
  for (const loom of await withStopMessage(work, stopMessage).finally(progress.end)) printImportedLoom(cli, loom);
}

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|json|md|txt)$/i.test(entry.name))
    .map((entry) => join(path, entry.name))
    .sort();
  if (files.length === 0) throw usageError(`${path} contains no loom files (.jsonl, .json, .md or .txt).`);
  return files;
}

const EXPORT_PREFIX = '{"heddle":"export"';

async function isExport(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(EXPORT_PREFIX.length), 0, EXPORT_PREFIX.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === EXPORT_PREFIX;
  } finally {
    await file.close();
  }
}

async function importOwnExport(cli: Cli, path: string): Promise<WireImportedLoom> {
  const { end, ...progressOptions } = createImportProgress(cli);
  const work = viaServerOrLog(
    cli,
    (client) => sendExport(client, path, progressOptions),
    (log) => adopt(log, path, progressOptions),
  );
  const { scope, report } = await withStopMessage(work, IMPORT_STOPPED).finally(end);
  if (scope === undefined) throw usageError(`${path} is an export of a whole workspace; all of it was imported.`);
  return withClient(cli, async (client) => {
    const thread = client.thread(scope);
    const { title, kind } = (await thread.get()).thread;
    const nodes = kind === 'loom' ? (await thread.loom.tree({ limit: 1 })).total : 0;
    const { dropped } = report;
    return { id: scope, title, format: 'heddle', nodes, report: { dropped, secrets_removed: 0, problems: [] } };
  });
}

/** Prints the report even if nothing was lost. */
function printImportedLoom({ out }: Cli, { id, title, format, nodes, report }: WireImportedLoom): void {
  const { dropped, secrets_removed: secrets, problems } = report;
  const losses = [
    ...dropped.map(({ field, count, why }) => `  Lost: ${oneLine(field)} (${count}): ${oneLine(why)}`),
    ...problems.map(({ what, count, where }) => {
      const places = where.length > 0 ? `: ${where.map(oneLine).join(', ')}${count > where.length ? ' …' : ''}` : '';
      return `  Repaired: ${oneLine(what)} (${count}${places})`;
    }),
    ...(secrets > 0 ? [`  Keys or tokens removed and not stored: ${secrets}.`] : []),
  ];
  out.answer(
    { id, title, format, nodes, report },
    `Imported “${oneLine(title)}” ${out.colors.dim(id)}: ${nodes.toLocaleString('en')} nodes, read as ${format}.`,
    ...(losses.length === 0 ? ['  Nothing was lost.'] : losses),
  );
}

export interface LoomExportOptions {
  readonly format: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly authors?: boolean;
}

/** Formats that cannot hold a tree (W29). */
const PATH_ONLY_FORMATS: ReadonlySet<string> = new Set(['text', 'markdown', 'html']);

export async function exportLoom(
  cli: Cli,
  name: string,
  { output, force = false, authors = false, ...options }: LoomExportOptions,
): Promise<void> {
  const format = loomExportFormats.find((each) => each === options.format);
  if (format === undefined)
    throw usageError(`There is no format "${options.format}". Known formats: ${loomExportFormats.join(', ')}.`);
  if (format === 'jsonl' && output !== undefined) {
    return withLog(cli, async (log) =>
      exportToFile(cli, log, output, { thread: (await findThreadInLog(log, name)).id, force }),
    );
  }
  const signal = interruptSignal();
  await withLoom(cli, name, async (loom) => {
    const response = await loom.loom.export({ format, ...(authors && { authors: 'yes' as const }) }, signal);
    const chunks = decodeText(response);
    if (output === undefined) return printChunks(cli, chunks);
    const bytes = { written: 0 };
    await withStopMessage(
      writeFileAtomically(output, countBytes(chunks, bytes), force),
      'Stopped. Nothing was written.',
    );
    if (cli.out.json) return cli.out.value({ id: loom.id, format, file: output, bytes: bytes.written });
    cli.out.line(`Wrote ${bytes.written.toLocaleString('en')} bytes to ${oneLine(output)}.`);
    if (PATH_ONLY_FORMATS.has(format)) {
      cli.out.line('It has your path only. Other branches, versions and your choices are in jsonl, openloom and loom.');
    }
  });
}

/** Prints the stored text unchanged, except to a terminal, where control sequences could be harmful. */
async function printChunks({ out }: Cli, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    process.stdout.write(process.stdout.isTTY ? sanitize(chunk) : chunk);
    await out.drained();
  }
}

async function* countBytes(chunks: AsyncIterable<string>, bytes: { written: number }): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    bytes.written += Buffer.byteLength(chunk);
    yield chunk;
  }
}

async function* decodeText(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of response.body ?? []) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
