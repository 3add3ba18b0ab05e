import type { WireUsage } from '../../client/index.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { count, paidWords } from '../output/figures.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text.ts';

type Used = WireUsage['total'];

export async function showUsage(cli: Cli, days: number): Promise<void> {
  const { out } = cli;
  const usage = await withClient(cli, (client) => client.models.usage());
  if (out.json) return out.value(usage);
  if (usage.total.calls === 0) out.line('No model has been asked yet.');
  else {
    const groups: [string, (readonly [string, Used])[]][] = [
      ['model', usage.models.map((row) => [row.model, row])],
      ['thread', usage.threads.map((row) => [oneLine(row.title ?? row.thread), row])],
      ['day', byDay(usage).slice(0, days)],
    ];
    for (const [head, rows] of groups) if (rows.length > 0) section(cli, head, rows);
    section(cli, 'in all', [['', usage.total]]);
  }
  const { tokens, money: most } = usage.budgets.workspace;
  const limits = [
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
    ...(most === undefined ? [] : [formatMoney(most)]),
  ];
  out.note(
    limits.length === 0 ? 'No budget is set for the workspace.' : `The workspace's budget: ${limits.join(', ')}.`,
  );
}

function section({ out }: Cli, head: string, rows: readonly (readonly [string, Used])[]): void {
  const cells = rows.map(([name, used]) => [
    name,
    count(used.calls),
    count(used.failures),
    count(used.promptTokens),
    count(used.generatedTokens),
    paidWords(used.cost),
  ]);
  const [heads = '', ...lines] = table([[head, 'calls', 'failed', 'read', 'written', 'cost'], ...cells], out.width);
  out.line(out.colors.dim(heads));
  for (const line of lines) out.line(line);
  out.line();
}

/** The newest first, all models of a day together. */
function byDay({ days }: WireUsage): (readonly [string, Used])[] {
  const sums = new Map<string, Used>();
  for (const { day, model: _, ...used } of days) {
    const before = sums.get(day);
    sums.set(day, before ? added(before, used) : used);
  }
  return [...sums].sort(([a], [b]) => (a < b ? 1 : -1));
}

function added(a: Used, b: Used): Used {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    cost: a.cost + b.cost,
  };
}
