import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Client } from '../../client/index.ts';
import type { Imported } from '../../formats/import.ts';
import { adopt } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { byServerOrSelf } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';
import { importProgress, STOPPED_IMPORT, toldImport } from '../imported.ts';
import { orStopped } from '../progress.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<file>', 'what "heddle export" or "heddle backup" wrote')
    .addHelpText(
      'after',
      examples(
        'heddle import garden.jsonl',
        'heddle import workspace.jsonl --database postgres://user:password@host/heddle',
      ),
    )
    .addHelpText(
      'after',
      '\nThe whole file is proved before anything is stored. What is here already is skipped; a thread that went on\ndifferently here is refused. An import that was stopped is finished by running it again.',
    )
    .action((file: string) => run(start(), file));

async function run(cli: Cli, file: string): Promise<void> {
  // Said before anything is asked of a server.
  statSync(file);
  const { end, ...parts } = importProgress(cli);
  const work = byServerOrSelf(
    cli,
    (client) => sendExport(client, file, parts),
    (log) => adopt(log, file, parts),
  );
  toldImport(cli, file, await orStopped(work, STOPPED_IMPORT).finally(end), 'Imported');
}

export async function sendExport(
  client: Client,
  file: string,
  parts: Omit<ReturnType<typeof importProgress>, 'end'>,
): Promise<Imported> {
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  const { scope, ...imported } = await client.import(body, {
    signal: parts.signal,
    onProgress: ({ doing, done, total }) => (doing === 'proving' ? parts.proving : parts.progress)(done, total),
  });
  return { ...imported, ...(scope && { scope }) };
}
