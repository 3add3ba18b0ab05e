import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('mind stop').footnote('Nothing is lost: "mind run" goes on from there.').run(stop);

async function stop(cli: Cli): Promise<void> {
  const result = await send(cli, 'stop_run', {});
  printResult(cli, result, result.events.length > 0 ? 'The mind stopped thinking.' : 'The mind was not thinking.');
}
