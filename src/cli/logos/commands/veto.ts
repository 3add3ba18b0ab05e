import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { numberIn } from '../../output/numbers.ts';
import { answer, send } from '../../threads/send.ts';
import { reasonIn } from '../input.ts';

interface Options {
  readonly reason?: string;
  readonly undo?: boolean;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thought>', 'its number: 12 or #12')
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .option('--undo', 'show it again')
    .addHelpText('after', examples('logos veto 12 "An advertisement."', 'logos veto 12 --undo'))
    .addHelpText('after', '\nNo mind is shown it any more. It stays in the log, with the reason.')
    .action((thought: string, words: string[], options: Options) => veto(start(), thought, words, options));

async function veto(cli: Cli, text: string, words: readonly string[], { reason, undo }: Options): Promise<void> {
  const thought = numberIn(text, 'a thought');
  if (undo) {
    const done = await send(cli, 'unveto', { thought });
    answer(cli, done, done.events.length > 0 ? `Minds may see #${thought} again.` : `#${thought} was not hidden.`);
    return;
  }
  const done = await send(cli, 'veto', { thought, reason: reasonIn(words, reason) });
  answer(
    cli,
    done,
    done.events.length > 0 ? `#${thought} is hidden from the minds.` : `#${thought} was hidden already.`,
  );
}
