import { type ClusterRow, clusterTable } from '../../../core/pool/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { table } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { sparkline } from '../charts/sparkline.ts';
import { laneChart } from '../charts/svg.ts';
import { perRound } from '../entries.ts';
import { withExchange } from '../reader.ts';

const LATEST = 1000;
const BARS = 24;

export const declare: Declare = (command, start) =>
  command
    .option('--svg', 'a drawing: a lane for each cluster, over the rounds')
    .addHelpText('after', examples('logos clusters', 'logos clusters --json', 'logos clusters --svg > clusters.svg'))
    .action(({ svg }: { svg?: boolean }) => clusters(start(), svg === true));

function clusters(cli: Cli, svg: boolean): Promise<void> {
  const { out } = cli;
  return withExchange(cli, ({ title, exchange }) => {
    const { clusters: rows, noise, waiting } = clusterTable(exchange.pool);
    const { rounds, counts } = perRound(exchange, LATEST);
    const over = (id: number) => counts.get(id) ?? rounds.map(() => 0);
    if (svg) {
      const lanes = rows.map(({ id, label }) => ({ name: `${id}: ${label}`, counts: over(id) }));
      const text = laneChart(`Clusters of “${title}”`, rounds, lanes);
      return out.json ? out.value({ svg: text }) : out.line(text);
    }
    if (out.json)
      return out.value({ rounds, clusters: rows.map((row) => ({ ...row, per_round: over(row.id) })), noise, waiting });
    const { dim } = out.colors;
    if (rows.length === 0) out.line('There are no clusters yet: four thoughts or more that are alike make one.');
    else {
      const head = ['cluster', 'active', 'in all', 'over the rounds', 'latest thought'];
      const cells = rows.map((row) => cellsOf(row, sparkline(over(row.id), BARS)));
      const paint = (cell: string, column: number) => (column < 3 ? dim(cell) : cell);
      for (const line of table([head, ...cells], out.width, paint)) out.line(line);
    }
    out.line(dim(`${noise} active without a cluster, ${waiting} not looked at yet`));
  });
}

function cellsOf({ id, active, total, label }: ClusterRow, bars: string): readonly string[] {
  return [String(id), String(active), String(total), bars, oneLine(label)];
}
