import { newestTerms } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { oneLine } from '../../output/text.ts';
import { setCurrentThread } from '../../threads/current.ts';
import { followAndConclude, startedBy } from '../follow.ts';
import { parseTerms } from '../input.ts';

interface LogosBranchOptions {
  readonly title?: string;
  readonly reason?: string;
  readonly control?: true;
  readonly rounds?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('[terms...]', 'key=value: its own terms; mind_prompt=@FILE reads a text from a file')
    .option('--title <text>', 'its title')
    .option('--reason <text>', 'why; it is shown to the pool')
    .option(
      '--control',
      'create a control branch to compare with: it runs without your input, and does not become the current one',
    )
    .option('--rounds <n>', 'run this many rounds at once')
    .examples(
      'logos branch --title "Without audits" audit_every=1000',
      'logos branch --control --rounds 20',
      'logos branches',
    )
    .footnote(
      'The branch starts with everything in this exchange and becomes the current one; this one stays unchanged.',
    )
    .run(branch);

async function branch(cli: Cli, pairs: readonly string[], options: LogosBranchOptions): Promise<void> {
  const { title, reason, control } = options;
  const rounds = options.rounds === undefined ? undefined : parseNumber(options.rounds, 'rounds');
  await followAndConclude(cli, async (thread, { state: exchange }) => {
    const set = parseTerms(pairs, newestTerms(exchange).terms);
    const result = await thread.command('branch', { title, reason, control, rounds, set });
    const { id, title: branchTitle } = result.thread;
    if (!control) setCurrentThread(cli, id);
    const statusPhrase = control ? 'is a control branch' : 'is now the current exchange';
    cli.out.answer(result, `“${oneLine(branchTitle)}” ${statusPhrase}. ${cli.out.colors.dim(id)}`);
    return rounds === undefined ? undefined : startedBy(result);
  });
}
