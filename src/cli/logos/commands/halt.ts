import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { answer, send } from '../../threads/send.ts';
import { reasonIn } from '../input.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .addHelpText('after', examples('logos halt "It has said what it had to say."'))
    .addHelpText('after', '\nNothing is lost: "logos branch" goes on from here, "logos rollback R" from earlier.')
    .action((words: string[], options: { reason?: string }) => halt(start(), words, options.reason));

async function halt(cli: Cli, words: readonly string[], reason: string | undefined): Promise<void> {
  const done = await send(cli, 'halt', { reason: reasonIn(words, reason) });
  answer(cli, done, done.events.length > 0 ? 'The exchange has ended.' : 'The exchange had ended already.');
}
