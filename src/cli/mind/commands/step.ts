import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { IterationView } from '../../../core/dialogue/view/schema.ts';
import { formatNumber } from '../../../core/text/format-number.ts';
import { formatMoney } from '../../../core/text/money.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { sanitize, wrap } from '../../output/text.ts';
import { formatDuration } from '../../output/time.ts';
import { followMindRun, runFailureOf, startedRunOf } from '../follow.ts';
import { attentionLines, draftLines, iterationLine } from '../format.ts';

export const declare: DeclareCommand = (command) => command.examples('mind step', 'mind step --json').run(step);

async function step(cli: Cli): Promise<void> {
  const { out } = cli;
  let iteration: IterationView | undefined;
  const outcome = await followMindRun(cli, {
    begin: async (thread) => ({ run: startedRunOf(await thread.command('step', {})) }),
    onIteration: (view) => {
      iteration = view;
    },
  });
  if (!iteration) throw new Failure('stopped', 'Stopped during the iteration. Only its cost was recorded.');
  const failure = runFailureOf(outcome);
  if (out.json) out.value(iteration);
  else {
    printIteration(out, iteration);
    if (!failure) out.lines(attentionLines(attentionOf(outcome.dialogue), out, out.width));
  }
  if (failure) throw failure;
}

function printIteration(out: TerminalOutput, view: IterationView): void {
  const { dim } = out.colors;
  const { draft, thoughts, usage, latency_ms } = view;
  if (draft && !draft.signal) out.lines(draftLines(draft, out, out.width, Date.parse(view.ts)));
  else out.line(iterationLine(view, out, out.width));
  for (const { text } of thoughts) {
    for (const [i, line] of wrap(sanitize(text), out.width - 4).entries())
      out.line(dim(`${i === 0 ? '  · ' : '    '}${line}`));
  }
  const cost = usage.cost ? `, ${formatMoney(usage.cost, out.currency)}` : '';
  out.line(
    dim(
      `  ${formatNumber(usage.prompt)} tokens read, ${formatNumber(usage.generated)} written in ${formatDuration(latency_ms / 1000)}${cost}`,
    ),
  );
}
