import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printResult, send } from '../../threads/send.ts';
import { requireReason } from '../input.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .examples('logos halt "It has said what it had to say."')
    .footnote('Nothing is lost: "logos branch" goes on from here, "logos rollback R" from earlier.')
    .run((cli, words: string[], options: { reason?: string }) => halt(cli, words, options.reason));

async function halt(cli: Cli, words: readonly string[], reason: string | undefined): Promise<void> {
  const result = await send(cli, 'halt', { reason: requireReason(words, reason) });
  printResult(cli, result, result.events.length > 0 ? 'The exchange has ended.' : 'The exchange had ended already.');
}
