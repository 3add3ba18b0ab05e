import { HeddleRefusal, type ThreadClient } from '../../../client/index.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { wrap } from '../../output/text.ts';
import { addBudgetOptions, type BudgetOptions, parseAmount, parseBudget } from '../../run/options.ts';
import { capitalize } from '../../run/summary.ts';
import { type DialogueReader, followMindRun, runFailureOf, startedRunOf } from '../follow.ts';
import { attentionLines, iterationLine, writersInRun } from '../format.ts';
import { summarizeMindRun } from '../run.ts';

interface MindRunOptions extends BudgetOptions {
  readonly silences?: string;
}

export const declare: DeclareCommand = (command) =>
  addBudgetOptions(command)
    .argument('[n]', 'stop after this many iterations')
    .option('--silences <k>', 'stop after this many iterations in a row without a thought or a draft (default: 3)')
    .examples('mind run', 'mind run 10', 'mind run --money 0.5', 'mind run 3 --json')
    .footnote(
      'Without a number or a budget, the run ends at the first silence or "+1", or after 20 iterations. On a model with a price, it pauses at $1 unless you set a budget ("budgets.run" in heddle.yaml, or --money). The run waits for a model that is unreachable or rate-limited. Ctrl-C stops it, and nothing is lost.',
    )
    .run(run);

async function run(cli: Cli, iterationsText: string | undefined, options: MindRunOptions): Promise<void> {
  const { out } = cli;
  const iterations = iterationsText === undefined ? undefined : parseNumber(iterationsText, 'iterations');
  const request = { ...(iterations && { iterations }), ...runRequestOf(options) };
  let problem: string | undefined;
  const outcome = await followMindRun(cli, {
    begin: (thread, reader) => startOrJoin(cli, thread, reader, request),
    onIteration: (view) => {
      const isSame = view.problem !== undefined && view.problem === problem;
      problem = view.problem;
      if (out.json) out.value(view);
      else out.line(iterationLine(isSame ? { ...view, problem: 'the same again' } : view, out, out.width));
    },
  });
  const attention = attentionOf(outcome.dialogue);
  const failure = runFailureOf(outcome);
  if (out.json) out.value({ run: outcome.run, attention });
  else {
    // The failure already says why the run is paused.
    const { why: _, ...run } = outcome.run;
    const line = capitalize(summarizeMindRun(failure ? { ...run, why: 'see below.' } : outcome.run, out.currency));
    for (const row of wrap(line, out.width)) out.line(out.colors.dim(row));
    out.line(out.colors.dim(`Written by ${writersInRun(outcome.dialogue, outcome.run)}.`));
    if (!failure) out.lines(attentionLines(attention, out, out.width));
  }
  if (failure) throw failure;
}

/** Starts a run, or joins one that someone else started or that a stopped process left unfinished. */
async function startOrJoin(
  { out }: Cli,
  thread: ThreadClient,
  reader: DialogueReader,
  request: { iterations?: number },
): Promise<{ run: number; maxIterations?: number | undefined }> {
  try {
    return { run: startedRunOf(await thread.command('run', request)) };
  } catch (error) {
    await reader.refresh();
    const activeRun = reader.state.run;
    if (!(error instanceof HeddleRefusal && error.code === 'already_running' && activeRun)) throw error;
    out.note(`The mind is already thinking: joining run ${activeRun.run}.`);
    return { run: activeRun.run, maxIterations: request.iterations };
  }
}

function runRequestOf({ silences, ...budget }: MindRunOptions) {
  return { ...(silences !== undefined && { silences: parseAmount('--silences', silences) }), ...parseBudget(budget) };
}
