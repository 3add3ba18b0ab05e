import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { answer, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('logos stop'))
    .addHelpText('after', '\nNothing is lost: "logos run" goes on from there.')
    .action(() => stop(start()));

async function stop(cli: Cli): Promise<void> {
  const done = await send(cli, 'stop_rounds', {});
  answer(cli, done, done.events.length > 0 ? 'The minds stopped thinking.' : 'The minds were not thinking.');
}
