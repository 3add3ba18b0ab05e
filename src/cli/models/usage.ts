import type { WireUsage } from '../../client/index.ts';
import { formatNumber } from '../../core/text/format-number.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { formatPaid } from '../output/figures.ts';
import { tableLines } from '../output/table.ts';
import { oneLine } from '../output/text.ts';

type ModelUsageTotals = WireUsage['total'];

export async function showUsage(cli: Cli, days: number): Promise<void> {
  const { out } = cli;
  const usage = await withClient(cli, (client) => client.models.usage());
  if (out.json) return out.value(usage);
  if (usage.total.calls === 0) out.line('No model has been used yet.');
  else {
    const groups: [string, (readonly [string, ModelUsageTotals])[]][] = [
      ['model', usage.models.map((row) => [row.model, row])],
      ['thread', usage.threads.map((row) => [oneLine(row.title ?? row.thread), row])],
      ['day', totalsByDay(usage).slice(0, days)],
    ];
    for (const [head, rows] of groups) if (rows.length > 0) printSection(cli, head, rows);
    printSection(cli, 'in all', [['', usage.total]]);
  }
  const { tokens, money: moneyLimit } = usage.budgets.workspace;
  const limits = [
    ...(tokens === undefined ? [] : [`${formatNumber(tokens)} tokens`]),
    ...(moneyLimit === undefined ? [] : [formatMoney(moneyLimit, out.currency)]),
  ];
  out.note(
    limits.length === 0 ? 'No budget is set for the workspace.' : `The workspace's budget: ${limits.join(', ')}.`,
  );
}

function printSection({ out }: Cli, head: string, rows: readonly (readonly [string, ModelUsageTotals])[]): void {
  const cells = rows.map(([name, totals]) => [
    name,
    formatNumber(totals.calls),
    formatNumber(totals.failures),
    formatNumber(totals.promptTokens),
    formatNumber(totals.generatedTokens),
    formatPaid(totals.cost, out.currency),
  ]);
  const [header = '', ...lines] = tableLines(
    [[head, 'calls', 'failed', 'read', 'written', 'cost'], ...cells],
    out.width,
  );
  out.line(out.colors.dim(header));
  out.lines(lines);
  out.line();
}

/** The usage of each day over all models, newest first. */
function totalsByDay({ days }: WireUsage): (readonly [string, ModelUsageTotals])[] {
  const sums = new Map<string, ModelUsageTotals>();
  for (const { day, model: _, ...totals } of days) {
    const before = sums.get(day);
    sums.set(day, before ? addTotals(before, totals) : totals);
  }
  return [...sums].sort(([a], [b]) => (a < b ? 1 : -1));
}

function addTotals(a: ModelUsageTotals, b: ModelUsageTotals): ModelUsageTotals {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    cost: a.cost + b.cost,
  };
}
