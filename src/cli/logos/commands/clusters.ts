import type { ClusterRow } from '../../../core/pool/schema.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { withCurrentThread } from '../../threads/reader.ts';
import { sparkline } from '../charts/sparkline.ts';
import { laneChart } from '../charts/svg.ts';
import { clusterCountsByRound } from '../entries.ts';

const MAX_ROUNDS = 1000;
const SPARKLINE_WIDTH = 24;

export const declare: DeclareCommand = (command) =>
  command
    .option('--svg', 'a drawing: a lane for each cluster, over the rounds')
    .examples('logos clusters', 'logos clusters --json', 'logos clusters --svg > clusters.svg')
    .run(clusters);

function clusters(cli: Cli, { svg }: { svg?: boolean }): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ exchange }, { title }) => {
    const { clusters: rows, noise, waiting } = await exchange.clusters({ latest: 1 });
    const { rounds, counts } = clusterCountsByRound((await exchange.rounds({ limit: MAX_ROUNDS })).rounds);
    const countsFor = (id: number) => counts.get(id) ?? rounds.map(() => 0);
    if (svg) {
      const lanes = rows.map(({ id, label }) => ({ name: `${id}: ${label}`, counts: countsFor(id) }));
      const text = laneChart(`Clusters of “${title}”`, rounds, lanes);
      return out.json ? out.value({ svg: text }) : out.line(text);
    }
    if (out.json)
      return out.value({
        rounds,
        clusters: rows.map((row) => ({ ...row, per_round: countsFor(row.id) })),
        noise,
        waiting,
      });
    const { dim } = out.colors;
    if (rows.length === 0) out.line('There are no clusters yet: a cluster needs at least four similar thoughts.');
    else {
      const head = ['cluster', 'active', 'in all', 'over the rounds', 'latest thought'];
      const cells = rows.map((row) => cellsOf(row, sparkline(countsFor(row.id), SPARKLINE_WIDTH)));
      printTable(out, [head, ...cells], 3, 4);
    }
    out.line(dim(`${noise} active without a cluster, ${waiting} not clustered yet`));
  });
}

function cellsOf({ id, active, total, label }: ClusterRow, bars: string): readonly string[] {
  return [String(id), String(active), String(total), bars, oneLine(label)];
}
