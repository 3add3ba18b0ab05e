import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Client } from '../../client/index.ts';
import { type AdoptResult, adopt, WorkspaceNotEmpty } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { viaServerOrLog } from '../connect/client.ts';
import { Failure } from '../failure.ts';
import { createImportProgress, IMPORT_STOPPED, printImport } from '../output/import-report.ts';
import { withStopMessage } from '../output/progress.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<file>', 'a file from "heddle export" or "heddle backup"')
    .option('--mine', 'move your whole workspace into an empty one: it continues as if it had only been stopped')
    .examples(
      'heddle import garden.jsonl',
      'heddle import workspace.jsonl --mine',
      'heddle import workspace.jsonl --database postgres://user:password@host/heddle',
    )
    .footnote(
      'The whole file is verified before anything is stored. Events that are already here are skipped; a thread that continued\ndifferently here is refused. To finish an import that was stopped, run it again.\n\nNothing runs in an imported thread until you resume it ("heddle resume"), and its authors are shown as imported.\nWith --mine they are you and yours, and open work goes on when a server runs: leave it out to look first.',
    )
    .run(runImport);

async function runImport(cli: Cli, file: string, { mine = false }: { mine?: boolean }): Promise<void> {
  // A missing file fails here, before any request to a server.
  statSync(file);
  const { end, ...progressOptions } = createImportProgress(cli);
  const work = viaServerOrLog(
    cli,
    (client) => sendExport(client, file, { ...progressOptions, mine }),
    (log) => adopt(log, file, { ...progressOptions, mine }),
  ).catch((error: unknown) => {
    throw error instanceof WorkspaceNotEmpty ? new Failure('not_empty', error.message) : error;
  });
  printImport(cli, file, await withStopMessage(work, IMPORT_STOPPED).finally(end), { verb: 'Imported', mine });
}

export async function sendExport(
  client: Client,
  file: string,
  progressOptions: Omit<ReturnType<typeof createImportProgress>, 'end'> & { readonly mine?: boolean },
): Promise<AdoptResult> {
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  const { scope, ...result } = await client.import(body, {
    signal: progressOptions.signal,
    mine: progressOptions.mine,
    onProgress: ({ doing, done, total }) =>
      (doing === 'proving' ? progressOptions.onProving : progressOptions.onProgress)(done, total),
  });
  return { ...result, ...(scope && { scope }) };
}
