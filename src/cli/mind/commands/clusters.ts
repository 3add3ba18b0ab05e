import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { withCurrentThread } from '../../threads/reader.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('mind clusters', 'mind clusters --json').run(clusters);

function clusters(cli: Cli): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ dialogue }) => {
    const { clusters, noise, waiting } = await dialogue.clusters({ latest: 1 });
    if (out.json) return out.value({ clusters, noise, waiting });
    const { dim } = out.colors;
    const rows = clusters.map(({ id, active, total, first, last, label }) => [
      String(id),
      String(active),
      String(total),
      `${first}–${last}`,
      oneLine(label),
    ]);
    if (rows.length > 0) {
      printTable(out, [['cluster', 'active', 'in all', 'iterations', 'latest thought'], ...rows], 4);
    } else out.line('There are no clusters yet: a cluster needs at least four similar thoughts.');
    out.line(dim(`${noise} active without a cluster, ${waiting} not clustered yet`));
  });
}
