import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { printResult, send } from '../../threads/send.ts';
import { requireReason } from '../input.ts';

interface LogosVetoOptions {
  readonly reason?: string;
  readonly undo?: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thought>', 'its number: 12 or #12')
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .option('--undo', 'show it again')
    .examples('logos veto 12 "An advertisement."', 'logos veto 12 --undo')
    .footnote('No mind is shown it any more. It stays in the log, with the reason.')
    .run(veto);

async function veto(
  cli: Cli,
  text: string,
  words: readonly string[],
  { reason, undo }: LogosVetoOptions,
): Promise<void> {
  const thought = parseNumber(text, 'a thought');
  if (undo) {
    const result = await send(cli, 'unveto', { thought });
    printResult(
      cli,
      result,
      result.events.length > 0 ? `Minds may see #${thought} again.` : `#${thought} was not hidden.`,
    );
    return;
  }
  const result = await send(cli, 'veto', { thought, reason: requireReason(words, reason) });
  printResult(
    cli,
    result,
    result.events.length > 0 ? `#${thought} is hidden from the minds.` : `#${thought} was hidden already.`,
  );
}
