import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Client } from '../../client/index.ts';
import { type Adopted, adopt, NotEmpty } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { byServerOrSelf } from '../connect/client.ts';
import { Failure } from '../failure.ts';
import { importProgress, STOPPED_IMPORT, toldImport } from '../output/import-report.ts';
import { orStopped } from '../output/progress.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<file>', 'what "heddle export" or "heddle backup" wrote')
    .option('--mine', 'your own whole workspace, into an empty one: it goes on as if it had only been stopped')
    .addHelpText(
      'after',
      examples(
        'heddle import garden.jsonl',
        'heddle import workspace.jsonl --mine',
        'heddle import workspace.jsonl --database postgres://user:password@host/heddle',
      ),
    )
    .addHelpText(
      'after',
      '\nThe whole file is proved before anything is stored. What is here already is skipped; a thread that went on\ndifferently here is refused. An import that was stopped is finished by running it again.\n\nNothing runs in an imported thread until you resume it ("heddle resume"), and its authors are shown as imported.\nWith --mine they are you and yours, and open work goes on when a server runs: leave it out to look first.',
    )
    .action((file: string, { mine = false }: { mine?: boolean }) => run(start(), file, mine));

async function run(cli: Cli, file: string, mine: boolean): Promise<void> {
  // Said before anything is asked of a server.
  statSync(file);
  const { end, ...parts } = importProgress(cli);
  const work = byServerOrSelf(
    cli,
    (client) => sendExport(client, file, { ...parts, mine }),
    (log) => adopt(log, file, { ...parts, mine }),
  ).catch((error: unknown) => {
    throw error instanceof NotEmpty ? new Failure('not_empty', error.message) : error;
  });
  toldImport(cli, file, await orStopped(work, STOPPED_IMPORT).finally(end), { did: 'Imported', mine });
}

export async function sendExport(
  client: Client,
  file: string,
  parts: Omit<ReturnType<typeof importProgress>, 'end'> & { readonly mine?: boolean },
): Promise<Adopted> {
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  const { scope, ...imported } = await client.import(body, {
    signal: parts.signal,
    mine: parts.mine,
    onProgress: ({ doing, done, total }) => (doing === 'proving' ? parts.proving : parts.progress)(done, total),
  });
  return { ...imported, ...(scope && { scope }) };
}
