import { newestTerms } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { oneLine } from '../../output/text.ts';
import { makeCurrent } from '../../threads/current.ts';
import { answer, send } from '../../threads/send.ts';
import { roundIn, termsIn } from '../input.ts';
import { withExchange } from '../reader.ts';

interface Options {
  readonly title?: string;
  readonly reason?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<round>', 'the round to go back to; 0 is the beginning')
    .argument('[terms...]', 'key=value: terms of its own')
    .option('--title <text>', 'what the branch is called')
    .option('--reason <text>', 'why')
    .addHelpText('after', examples('logos rollback 12', 'logos rollback 0 audit_every=5 --reason "Once more."'))
    .addHelpText('after', '\nNothing is lost: it begins a branch, which becomes the current exchange.')
    .action((round: string, pairs: string[], options: Options) => rollback(start(), round, pairs, options));

async function rollback(cli: Cli, text: string, pairs: readonly string[], { title, reason }: Options): Promise<void> {
  const round = roundIn(text);
  const set = await withExchange(cli, ({ exchange }) => termsIn(pairs, newestTerms(exchange).terms));
  const done = await send(cli, 'rollback', {
    round,
    ...(title !== undefined && { title }),
    ...(reason !== undefined && { reason }),
    ...(set && { set }),
  });
  makeCurrent(cli, done.thread.id);
  answer(
    cli,
    done,
    `“${oneLine(done.thread.title)}” is the current exchange now. ${cli.out.colors.dim(done.thread.id)}`,
  );
}
