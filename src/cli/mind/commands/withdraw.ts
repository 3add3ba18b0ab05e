import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { answer, contentIn, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command.addHelpText('after', examples('mind withdraw')).action(() => withdraw(start()));

async function withdraw(cli: Cli): Promise<void> {
  const done = await send(cli, 'withdraw', {});
  answer(cli, done, `Took the message of turn ${contentIn(done).turn} back.`);
}
