import type { Client } from '../../../client/index.ts';
import { HeddleRefusal } from '../../../client/refusal.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { numberIn } from '../../output/numbers.ts';
import { wrap } from '../../output/text.ts';
import { amount, type BudgetOptions, budgetIn, withBudget } from '../../run/options.ts';
import { capital } from '../../run/summary.ts';
import { failureOf, follow, runBegun } from '../follow.ts';
import { attentionLines, iterationLine, writtenInRun } from '../format.ts';
import type { Reading } from '../reader.ts';
import { runWords } from '../run.ts';

interface Options extends BudgetOptions {
  readonly silences?: string;
}

export const declare: Declare = (command, start) =>
  withBudget(command)
    .argument('[n]', 'end after this many iterations')
    .option('--silences <k>', 'end after this many iterations in a row without thought or draft (default: 3)')
    .addHelpText('after', examples('mind run', 'mind run 10', 'mind run --money 0.5', 'mind run 3 --json'))
    .addHelpText(
      'after',
      '\nWithout a number or a budget it ends at the first silence or "+1", or after 20 iterations. On a model with a price it pauses at $1 unless you set a budget ("budgets.run" in heddle.yaml, or --money). A model that is away or asked too often is waited for. Ctrl-C stops it and nothing is lost.',
    )
    .action((iterations: string | undefined, options: Options) => run(start(), iterations, options));

async function run(cli: Cli, text: string | undefined, options: Options): Promise<void> {
  const { out } = cli;
  const iterations = text === undefined ? undefined : numberIn(text, 'iterations');
  const wish = { ...(iterations && { iterations }), ...wishOf(options) };
  let problem: string | undefined;
  const followed = await follow(cli, {
    begin: (thread, reading) => beginOrJoin(cli, thread, reading, wish),
    onIteration: (view) => {
      const isSame = view.problem !== undefined && view.problem === problem;
      problem = view.problem;
      if (out.json) out.value(view);
      else out.line(iterationLine(isSame ? { ...view, problem: 'the same again' } : view, out, out.width));
    },
  });
  const attention = attentionOf(followed.dialogue);
  const failure = failureOf(followed);
  if (out.json) out.value({ run: followed.run, attention });
  else {
    // The failure says why it is paused, and once is enough.
    const { why: _, ...run } = followed.run;
    const line = capital(runWords(failure ? { ...run, why: 'see below.' } : followed.run));
    for (const row of wrap(line, out.width)) out.line(out.colors.dim(row));
    out.line(out.colors.dim(`Written by ${writtenInRun(followed.dialogue, followed.run)}.`));
    if (!failure) for (const row of attentionLines(attention, out, out.width)) out.line(row);
  }
  if (failure) throw failure;
}

/** A run that someone else began, or that a stopped process left behind, is gone on with. */
async function beginOrJoin(
  { out }: Cli,
  thread: ReturnType<Client['thread']>,
  reading: Reading,
  wish: { iterations?: number },
): Promise<{ run: number; most?: number | undefined }> {
  try {
    return { run: runBegun(await thread.command('run', wish)) };
  } catch (error) {
    await reading.refresh();
    const running = reading.dialogue.run;
    if (!(error instanceof HeddleRefusal && error.code === 'already_running' && running)) throw error;
    out.note(`The mind is thinking already: going on with run ${running.run}.`);
    return { run: running.run, most: wish.iterations };
  }
}

function wishOf({ silences, ...budget }: Options) {
  return { ...(silences !== undefined && { silences: amount('--silences', silences) }), ...budgetIn(budget) };
}
