import { TurnWithdrawn } from '../../../core/dialogue/events.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { contentOf, printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) => command.examples('mind withdraw').run(withdraw);

async function withdraw(cli: Cli): Promise<void> {
  const result = await send(cli, 'withdraw', {});
  printResult(cli, result, `Took the message of turn ${contentOf(result, TurnWithdrawn).turn} back.`);
}
