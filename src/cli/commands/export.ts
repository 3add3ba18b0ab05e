import { exportLog } from '../../formats/export/export-log.ts';
import type { ExportTrailer } from '../../formats/export/jsonl.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { writeFileAtomically } from '../output/file.ts';
import { createProgress, interruptSignal, withStopMessage } from '../output/progress.ts';
import { escapeJson } from '../output/text.ts';
import { findThreadInLog } from '../threads/find.ts';

interface ExportCommandOptions {
  readonly output?: string;
  readonly force?: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('[thread]', `${THREAD_HELP}; without it, the whole workspace`)
    .option('-o, --output <file>', 'write to this file (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .examples(
      'heddle export -o workspace.jsonl',
      'heddle export Garden -o garden.jsonl',
      'heddle export Garden | jq -r .content',
    )
    .footnote(
      'The export of a fork includes the parts of its ancestors that it can see. Tokens and heddle.yaml are never exported.',
    )
    .run(runExport);

function runExport(cli: Cli, name: string | undefined, { output, force = false }: ExportCommandOptions): Promise<void> {
  return withLog(cli, async (log) => {
    const thread = name === undefined ? undefined : (await findThreadInLog(log, name)).id;
    if (output !== undefined) return exportToFile(cli, log, output, { thread, force });
    const lines = exportLog(log, {
      created: new Date().toISOString(),
      signal: interruptSignal(),
      ...(thread && { thread }),
    });
    for await (const chunk of lines) {
      // The bytes exactly as stored, except on a terminal, where control characters could act as commands.
      process.stdout.write(process.stdout.isTTY ? escapeJson(chunk) : chunk);
      await cli.out.drained();
    }
  });
}

/** Exports to a file. A backup is the same export of the whole workspace. */
export async function exportToFile(
  { out }: Cli,
  log: EventLog,
  path: string,
  { thread, force }: { readonly thread?: string | undefined; readonly force: boolean },
): Promise<void> {
  const progress = createProgress(out, 'Writing', 'events');
  let trailer: ExportTrailer | undefined;
  const lines = async function* () {
    const chunks = exportLog(log, {
      created: new Date().toISOString(),
      signal: interruptSignal(),
      onProgress: progress.update,
      ...(thread && { thread }),
    });
    trailer = yield* chunks;
  };
  try {
    await withStopMessage(writeFileAtomically(path, lines(), force), 'Stopped. Nothing was written.');
  } finally {
    progress.end();
  }
  const { events, blobs, missing, head, heads } = trailer as ExportTrailer;
  const threads = Object.keys(heads).length;
  if (out.json) return out.value({ file: path, threads, events, blobs, missing, head });
  out.line(`Wrote ${events} events of ${threads} threads and ${blobs} blobs to ${path}.`);
  out.line(`Head ${head}`);
  if (missing.length > 0) out.note(`${missing.length} blobs are missing from this workspace and could not be written.`);
}
