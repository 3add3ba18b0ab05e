import { openAsBlob, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NamedFile, WireImportedLoom } from '../../client/index.ts';
import { loomExportFormats, loomFileFormats } from '../../protocol/loom-files.ts';
import { adopt } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { exportTo } from '../commands/export.ts';
import { sendExport } from '../commands/import.ts';
import { byServerOrSelf, withClient, withLog } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { mustBeUtf8 } from '../input/text.ts';
import { writeWhole } from '../output/file.ts';
import { importProgress, STOPPED_IMPORT } from '../output/import-report.ts';
import { createProgress, orStopped, untilInterrupted } from '../output/progress.ts';
import { oneLine, visible } from '../output/text.ts';
import { threadOfLog } from '../threads/find.ts';
import { loomOf } from './find.ts';

type Format = (typeof loomFileFormats)[number] | 'auto';

/** Files of other programs become looms, each with what of it was lost; an export of ours is brought in as it was (W26). */
export async function importFiles(cli: Cli, paths: readonly string[], { format }: { format: string }): Promise<void> {
  const { out } = cli;
  if (format !== 'auto' && !loomFileFormats.some((known) => known === format))
    throw usage(`There is no format "${format}". Known are auto, ${loomFileFormats.join(', ')}.`);
  const files = paths.flatMap(filesIn);
  const ours = await Promise.all(files.map(isExport));
  for (const [i, path] of files.entries()) if (ours[i]) told(cli, await importOurs(cli, path));
  const foreign = files.filter((_, i) => !ours[i]);
  if (foreign.length === 0) return;
  const progress = createProgress(out, 'Storing', 'nodes');
  const named: NamedFile[] = [];
  for (const path of foreign) await mustBeUtf8(path);
  for (const path of foreign) named.push({ name: basename(path), content: await openAsBlob(path) });
  const signal = untilInterrupted();
  const work = withClient(cli, (client) =>
    client.looms.import(named, {
      format: format as Format,
      signal,
      onProgress: ({ done, total }) => progress.update(done, total),
    }),
  );
  const stopped = 'Stopped. A loom that was begun holds the nodes that were stored; "heddle threads" lists it.';
  for (const loom of await orStopped(work, stopped).finally(progress.end)) told(cli, loom);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const found = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|json|md|txt)$/i.test(entry.name))
    .map((entry) => join(path, entry.name))
    .sort();
  if (found.length === 0) throw usage(`${path} holds no file of a loom (.jsonl, .json, .md or .txt).`);
  return found;
}

const BEGINNING = '{"heddle":"export"';

async function isExport(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === BEGINNING;
  } finally {
    await file.close();
  }
}

async function importOurs(cli: Cli, path: string): Promise<WireImportedLoom> {
  const { end, ...parts } = importProgress(cli);
  const work = byServerOrSelf(
    cli,
    (client) => sendExport(client, path, parts),
    (log) => adopt(log, path, parts),
  );
  const { scope, report } = await orStopped(work, STOPPED_IMPORT).finally(end);
  if (scope === undefined) throw usage(`${path} is an export of a whole workspace; all of it is here now.`);
  return withClient(cli, async (client) => {
    const thread = client.thread(scope);
    const { title, kind } = (await thread.get()).thread;
    const nodes = kind === 'loom' ? (await thread.loom.tree({ limit: 1 })).total : 0;
    const { dropped } = report;
    return { id: scope, title, format: 'heddle', nodes, report: { dropped, secrets_removed: 0, problems: [] } };
  });
}

/** The report is given even when nothing was lost. */
function told({ out }: Cli, { id, title, format, nodes, report }: WireImportedLoom): void {
  if (out.json) {
    out.value({ id, title, format, nodes, report });
    return;
  }
  const { dropped, secrets_removed: secrets, problems } = report;
  out.line(
    `Imported “${oneLine(title)}” ${out.colors.dim(id)}: ${nodes.toLocaleString('en')} nodes, read as ${format}.`,
  );
  for (const { field, count, why } of dropped) out.line(`  Lost: ${oneLine(field)} (${count}): ${oneLine(why)}`);
  for (const { what, count, where } of problems) {
    const places = where.length > 0 ? `: ${where.map(oneLine).join(', ')}${count > where.length ? ' …' : ''}` : '';
    out.line(`  Mended: ${oneLine(what)} (${count}${places})`);
  }
  if (secrets > 0) out.line(`  Keys or tokens that were taken out and not stored: ${secrets}.`);
  if (dropped.length === 0 && problems.length === 0 && secrets === 0) out.line('  Nothing was lost.');
}

export interface ExportOptions {
  readonly format: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly authors?: boolean;
}

/** Formats that have no place for a tree (W29). */
const PATH_ONLY: ReadonlySet<string> = new Set(['text', 'markdown', 'html']);

export async function exportLoom(
  cli: Cli,
  name: string,
  { output, force = false, authors = false, ...options }: ExportOptions,
): Promise<void> {
  const format = loomExportFormats.find((known) => known === options.format);
  if (format === undefined)
    throw usage(`There is no format "${options.format}". Known are ${loomExportFormats.join(', ')}.`);
  if (format === 'jsonl' && output !== undefined) {
    return withLog(cli, async (log) =>
      exportTo(cli, log, output, { thread: (await threadOfLog(log, name)).id, force }),
    );
  }
  const signal = untilInterrupted();
  await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const response = await loom.loom.export({ format, ...(authors && { authors: 'yes' as const }) }, signal);
    const parts = textIn(response);
    if (output === undefined) return print(cli, parts);
    const bytes = { written: 0 };
    await orStopped(writeWhole(output, counted(parts, bytes), force), 'Stopped. Nothing was written.');
    if (cli.out.json) return cli.out.value({ id: loom.id, format, file: output, bytes: bytes.written });
    cli.out.line(`Wrote ${bytes.written.toLocaleString('en')} bytes to ${oneLine(output)}.`);
    if (PATH_ONLY.has(format)) {
      cli.out.line('It has your path only. Other branches, versions and your choices are in jsonl, openloom and loom.');
    }
  });
}

/** As it is stored, but for a terminal, which could be commanded by it. */
async function print({ out }: Cli, parts: AsyncIterable<string>): Promise<void> {
  for await (const part of parts) {
    process.stdout.write(process.stdout.isTTY ? visible(part) : part);
    await out.drained();
  }
}

async function* counted(parts: AsyncIterable<string>, bytes: { written: number }): AsyncGenerator<string> {
  for await (const part of parts) {
    bytes.written += Buffer.byteLength(part);
    yield part;
  }
}

async function* textIn(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of response.body ?? []) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
