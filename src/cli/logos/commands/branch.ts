import { newestTerms } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { numberIn } from '../../output/numbers.ts';
import { oneLine } from '../../output/text.ts';
import { makeCurrent } from '../../threads/current.ts';
import { answer, type Done } from '../../threads/send.ts';
import { conclude, follow, forkIn } from '../follow.ts';
import { termsIn } from '../input.ts';

interface Options {
  readonly title?: string;
  readonly reason?: string;
  readonly control?: true;
  readonly rounds?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('[terms...]', 'key=value: terms of its own; mind_prompt=@FILE for a text from a file')
    .option('--title <text>', 'what it is called')
    .option('--reason <text>', 'why; it is shown to the pool')
    .option('--control', 'one to compare with: it runs without observer input, and does not become the current one')
    .option('--rounds <n>', 'let it run so many rounds at once')
    .addHelpText(
      'after',
      examples(
        'logos branch --title "Without audits" audit_every=1000',
        'logos branch --control --rounds 20',
        'logos branches',
      ),
    )
    .addHelpText(
      'after',
      '\nIt begins with all there is here and becomes the current exchange; this one stays as it is.',
    )
    .action((pairs: string[], options: Options) => branch(start(), pairs, options));

async function branch(cli: Cli, pairs: readonly string[], options: Options): Promise<void> {
  const { title, reason, control, rounds } = options;
  const wish = {
    ...(title !== undefined && { title }),
    ...(reason !== undefined && { reason }),
    ...(control && { control }),
    ...(rounds !== undefined && { rounds: numberIn(rounds, 'rounds') }),
  };
  const reading = await follow(cli, {
    begin: async (thread, { exchange }) => {
      const set = termsIn(pairs, newestTerms(exchange).terms);
      const done: Done = await thread.command('branch', { ...wish, ...(set && { set }) });
      if (!control) makeCurrent(cli, done.thread.id);
      const now = control ? 'is a control branch' : 'is the current exchange now';
      answer(cli, done, `“${oneLine(done.thread.title)}” ${now}. ${cli.out.colors.dim(done.thread.id)}`);
      return rounds === undefined ? undefined : { thread: forkIn(done) };
    },
  });
  if (rounds !== undefined) conclude(cli, reading);
}
