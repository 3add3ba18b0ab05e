import { readLineFile } from '../../workspace/line-file.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withWorker } from '../connect/client.ts';
import { usageError } from '../failure.ts';

export const declare: DeclareCommand = (command) =>
  command
    .footnote(
      'It acts as the owner of the token in HEDDLE_TOKEN ("heddle token --participant ID" prints one), or as you if that is not set.',
    )
    .examples(
      'HEDDLE_TOKEN=$(heddle token --participant alpha) heddle mcp',
      'claude mcp add heddle -e HEDDLE_TOKEN=… -- heddle mcp',
    )
    .option('--token-file <path>', 'act as the participant of the token in this file ("heddle join" writes one)')
    .run(mcp);

/** Standard output belongs to the protocol: nothing else may be written there. */
async function mcp(cli: Cli, { tokenFile }: { tokenFile?: string }): Promise<void> {
  if (tokenFile !== undefined) {
    const token = readLineFile(tokenFile);
    if (token === undefined)
      throw usageError(`There is no token in ${tokenFile}. "heddle join THREAD --as ID" writes one.`);
    process.env.HEDDLE_TOKEN = token;
  }
  const { serveMcp } = await import('../../mcp/stdio.ts');
  await withWorker(cli, (client) => serveMcp(client, cli.host.version));
}
