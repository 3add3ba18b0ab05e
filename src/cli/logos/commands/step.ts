import type { RoundRow } from '../../../core/exchange/view/schema.ts';
import { formatNumber } from '../../../core/text/format-number.ts';
import { formatMoney } from '../../../core/text/money.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { oneLine } from '../../output/text.ts';
import { followAndConclude, startedBy } from '../follow.ts';
import { formatWriter, problemLines, textLines } from '../format.ts';

export const declare: DeclareCommand = (command) => command.examples('logos step', 'logos step --json').run(step);

function step(cli: Cli): Promise<void> {
  const { out } = cli;
  return followAndConclude(
    cli,
    async (thread) => startedBy(await thread.command('run', { rounds: 1 })),
    (row) => (out.json ? out.value({ round: row }) : printRound(cli, row)),
  );
}

function printRound({ out }: Cli, row: RoundRow): void {
  for (const call of row.calls) {
    const { author, outcome, usage } = call;
    const cost = usage.cost ? `, ${formatMoney(usage.cost, out.currency)}` : '';
    out.line(
      `Round ${row.round}: ${oneLine(author)} (${formatWriter(call)})${outcome === 'thoughts' ? '' : `: ${outcome}`} ${out.colors.dim(
        `${formatNumber(usage.prompt)} tokens read, ${formatNumber(usage.generated)} written${cost}`,
      )}`,
    );
  }
  for (const { id, text, author } of row.thoughts)
    out.lines(textLines(`#${id}  ${oneLine(author)}`, text, out, out.width));
  out.lines(problemLines(row, out, out.width));
}
