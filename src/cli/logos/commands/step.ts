import type { RoundRow } from '../../../core/exchange/view/view.ts';
import { formatMoney } from '../../../core/text/money.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { count } from '../../output/figures.ts';
import { oneLine } from '../../output/text.ts';
import { conclude, follow } from '../follow.ts';
import { problemLines, saidLines, writer } from '../format.ts';

export const declare: Declare = (command, start) =>
  command.addHelpText('after', examples('logos step', 'logos step --json')).action(() => step(start()));

async function step(cli: Cli): Promise<void> {
  const { out } = cli;
  const reading = await follow(cli, {
    begin: async (thread) => {
      await thread.command('run_rounds', { rounds: 1 });
      return {};
    },
    onRound: (row) => (out.json ? out.value({ round: row }) : show(cli, row)),
  });
  conclude(cli, reading);
}

function show({ out }: Cli, row: RoundRow): void {
  for (const call of row.calls) {
    const { author, outcome, usage } = call;
    const cost = usage.cost ? `, ${formatMoney(usage.cost)}` : '';
    out.line(
      `Round ${row.round}: ${oneLine(author)} (${writer(call)})${outcome === 'thoughts' ? '' : `: ${outcome}`} ${out.colors.dim(
        `${count(usage.prompt)} tokens read, ${count(usage.generated)} written${cost}`,
      )}`,
    );
  }
  for (const { id, text, author } of row.thoughts)
    for (const line of saidLines(`#${id}  ${oneLine(author)}`, text, out, out.width)) out.line(line);
  for (const line of problemLines(row, out, out.width)) out.line(line);
}
