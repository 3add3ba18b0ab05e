import type { Cli } from '../../cli.ts';
import { type DeclareCommand, examples } from '../../command.ts';
import { printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command, getCli) =>
  command
    .addHelpText('after', examples('mind stop'))
    .addHelpText('after', '\nNothing is lost: "mind run" goes on from there.')
    .action(() => stop(getCli()));

async function stop(cli: Cli): Promise<void> {
  const result = await send(cli, 'stop_run', {});
  printResult(cli, result, result.events.length > 0 ? 'The mind stopped thinking.' : 'The mind was not thinking.');
}
