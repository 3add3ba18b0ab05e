import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('logos stop').footnote('Nothing is lost: "logos run" goes on from there.').run(stop);

async function stop(cli: Cli): Promise<void> {
  const result = await send(cli, 'stop_run', {});
  printResult(cli, result, result.events.length > 0 ? 'The minds stopped thinking.' : 'The minds were not thinking.');
}
