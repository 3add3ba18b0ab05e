import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { answer, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('mind stop'))
    .addHelpText('after', '\nNothing is lost: "mind run" goes on from there.')
    .action(() => stop(start()));

async function stop(cli: Cli): Promise<void> {
  const done = await send(cli, 'stop_run', {});
  answer(cli, done, done.events.length > 0 ? 'The mind stopped thinking.' : 'The mind was not thinking.');
}
