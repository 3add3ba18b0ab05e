import type { Cli } from '../cli.ts';
import { withWorker } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText(
      'after',
      `\nWho it acts as is up to the token in HEDDLE_TOKEN ("heddle token --participant ID" prints one); without it, you.\n${examples(
        'HEDDLE_TOKEN=$(heddle token --participant alpha) heddle mcp',
        'claude mcp add heddle -e HEDDLE_TOKEN=… -- heddle mcp',
      )}`,
    )
    .action(() => mcp(start()));

/** Standard output belongs to the protocol: nothing else may be written there. */
async function mcp(cli: Cli): Promise<void> {
  const { serveMcp } = await import('../../mcp/stdio.ts');
  await withWorker(cli, (client) => serveMcp(client, cli.host.version));
}
