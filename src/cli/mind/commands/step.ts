import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { IterationView } from '../../../core/dialogue/view/view.ts';
import { formatMoney } from '../../../core/text/money.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { count } from '../../output/figures.ts';
import type { Output } from '../../output/output.ts';
import { visible, wrap } from '../../output/text.ts';
import { duration } from '../../output/time.ts';
import { failureOf, follow, runBegun } from '../follow.ts';
import { attentionLines, draftLines, iterationLine } from '../format.ts';

export const declare: Declare = (command, start) =>
  command.addHelpText('after', examples('mind step', 'mind step --json')).action(() => step(start()));

async function step(cli: Cli): Promise<void> {
  const { out } = cli;
  let came: IterationView | undefined;
  const followed = await follow(cli, {
    begin: async (thread) => ({ run: runBegun(await thread.command('step', {})) }),
    onIteration: (view) => {
      came = view;
    },
  });
  if (!came)
    throw new Failure('stopped', 'Stopped before the iteration was over. Nothing was recorded of it but what it cost.');
  const failure = failureOf(followed);
  if (out.json) out.value(came);
  else {
    show(out, came);
    if (!failure) for (const line of attentionLines(attentionOf(followed.dialogue), out, out.width)) out.line(line);
  }
  if (failure) throw failure;
}

function show(out: Output, view: IterationView): void {
  const { dim } = out.colors;
  const { draft, thoughts, usage, latency_ms } = view;
  if (draft && !draft.signal) for (const line of draftLines(draft, out, out.width, Date.parse(view.ts))) out.line(line);
  else out.line(iterationLine(view, out, out.width));
  for (const { text } of thoughts) {
    for (const [i, line] of wrap(visible(text), out.width - 4).entries())
      out.line(dim(`${i === 0 ? '  · ' : '    '}${line}`));
  }
  const cost = usage.cost ? `, ${formatMoney(usage.cost)}` : '';
  out.line(
    dim(
      `  ${count(usage.prompt)} tokens read, ${count(usage.generated)} written in ${duration(latency_ms / 1000)}${cost}`,
    ),
  );
}
