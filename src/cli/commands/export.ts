import { exportLog } from '../../formats/export/export-log.ts';
import type { Trailer } from '../../formats/export/jsonl.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { writeWhole } from '../output/file.ts';
import { createProgress, orStopped, untilInterrupted } from '../output/progress.ts';
import { safeJson } from '../output/text.ts';
import { threadOfLog } from '../threads/find.ts';

interface Options {
  readonly output?: string;
  readonly force?: boolean;
}

export const declare: Declare = (command, start) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, the whole workspace')
    .option('-o, --output <file>', 'write to this file (default: standard output)')
    .option('--force', 'replace the file if it is there already')
    .addHelpText(
      'after',
      examples(
        'heddle export -o workspace.jsonl',
        'heddle export Garden -o garden.jsonl',
        'heddle export Garden | jq -r .content',
      ),
    )
    .addHelpText(
      'after',
      '\nA thread that is a fork takes the part of its ancestors it can see along. Tokens and heddle.yaml are never exported.',
    )
    .action((name: string | undefined, options: Options) => run(start(), name, options));

function run(cli: Cli, name: string | undefined, { output, force = false }: Options): Promise<void> {
  return withLog(cli, async (log) => {
    const thread = name === undefined ? undefined : (await threadOfLog(log, name)).id;
    if (output !== undefined) return exportTo(cli, log, output, { thread, force });
    const lines = exportLog(log, {
      created: new Date().toISOString(),
      signal: untilInterrupted(),
      ...(thread && { thread }),
    });
    for await (const part of lines) {
      // To the last byte as it is stored, but for a terminal, which could be commanded by it.
      process.stdout.write(process.stdout.isTTY ? safeJson(part) : part);
      await cli.out.drained();
    }
  });
}

/** Also what a backup is: the whole workspace in a file. */
export async function exportTo(
  { out }: Cli,
  log: EventLog,
  path: string,
  { thread, force }: { readonly thread?: string | undefined; readonly force: boolean },
): Promise<void> {
  const progress = createProgress(out, 'Writing', 'events');
  let trailer: Trailer | undefined;
  const lines = async function* () {
    const parts = exportLog(log, {
      created: new Date().toISOString(),
      signal: untilInterrupted(),
      progress: progress.update,
      ...(thread && { thread }),
    });
    trailer = yield* parts;
  };
  try {
    await orStopped(writeWhole(path, lines(), force), 'Stopped. Nothing was written.');
  } finally {
    progress.end();
  }
  const { events, blobs, missing, head, heads } = trailer as Trailer;
  const threads = Object.keys(heads).length;
  if (out.json) return out.value({ file: path, threads, events, blobs, missing, head });
  out.line(`Wrote ${events} events of ${threads} threads and ${blobs} blobs to ${path}.`);
  out.line(`Head ${head}`);
  if (missing.length > 0)
    out.note(`${missing.length} blobs that events name are lost in this workspace and could not be written.`);
}
