import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { numberIn } from '../../output/numbers.ts';
import { oneLine } from '../../output/text.ts';
import { makeCurrent } from '../../threads/current.ts';
import { answer, send } from '../../threads/send.ts';

interface Options {
  readonly draft: string;
  readonly title?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<turn>', 'the number of a turn that is over')
    .requiredOption('--draft <n>', 'which of its drafts should have been the answer')
    .option('--title <title>', 'the title of the fork')
    .addHelpText('after', examples('mind history', 'mind drafts --turn 2', 'mind reopen 2 --draft 5'))
    .addHelpText('after', '\nHistory is never rewritten: this begins a fork and makes it the current dialogue.')
    .action((turn: string, options: Options) => reopen(start(), turn, options));

async function reopen(cli: Cli, turn: string, { draft, title }: Options): Promise<void> {
  const done = await send(cli, 'reopen', {
    turn: numberIn(turn, 'a turn'),
    draft: numberIn(draft, 'a draft'),
    ...(title && { title }),
  });
  makeCurrent(cli, done.thread.id);
  answer(
    cli,
    done,
    `“${oneLine(done.thread.title)}” is the current dialogue now. ${cli.out.colors.dim(done.thread.id)}`,
  );
}
