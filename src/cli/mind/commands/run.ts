import type { Client } from '../../../client/index.ts';
import { HeddleRefusal } from '../../../client/refusal.ts';
import { attentionOf } from '../../../core/dialogue/attention.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../declare.ts';
import { numberIn } from '../../numbers.ts';
import { amount, type BudgetOptions, budgetIn, withBudget } from '../../run-options.ts';
import { follow, mustHaveWorked, runBegun } from '../follow.ts';
import { attentionLines, iterationLine, writtenBy } from '../present.ts';
import type { Reading } from '../reading.ts';
import { runWords } from '../run-words.ts';

interface Options extends BudgetOptions {
  readonly silences?: string;
}

export const declare: Declare = (command, start) =>
  withBudget(command)
    .argument('[n]', 'end after so many iterations')
    .option('--silences <k>', 'end after so many silent iterations in a row (default: 3)')
    .addHelpText('after', examples('mind run', 'mind run 10', 'mind run --money 0.5', 'mind run 3 --json'))
    .addHelpText(
      'after',
      '\nIt ends when a draft is accepted, the mind falls silent, or its budget is used up; Ctrl-C stops it and nothing is lost.',
    )
    .action((iterations: string | undefined, options: Options) => run(start(), iterations, options));

async function run(cli: Cli, text: string | undefined, options: Options): Promise<void> {
  const { out } = cli;
  const iterations = text === undefined ? undefined : numberIn(text, 'iterations');
  const wish = { ...(iterations && { iterations }), ...wishOf(options) };
  const followed = await follow(cli, {
    begin: (thread, reading) => beginOrJoin(cli, thread, reading, wish),
    onIteration: (view) => (out.json ? out.value(view) : out.line(iterationLine(view, out, out.width))),
  });
  const attention = attentionOf(followed.dialogue);
  if (out.json) out.value({ run: followed.run, attention });
  else {
    out.line(out.colors.dim(`${capital(runWords(followed.run))}`));
    out.line(out.colors.dim(`Written by ${writtenBy(followed.dialogue)}.`));
    for (const line of attentionLines(attention, out, out.width)) out.line(line);
  }
  mustHaveWorked(followed);
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
