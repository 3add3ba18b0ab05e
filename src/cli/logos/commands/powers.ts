import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { withCurrentThread } from '../../threads/reader.ts';

export const declare: DeclareCommand = (command) => command.examples('logos powers', 'logos powers --json').run(powers);

function powers(cli: Cli): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ exchange }) => {
    const { roles } = await exchange.powers();
    if (out.json) return out.value({ roles });
    for (const [i, { role, actors, powers: list, limit }] of roles.entries()) {
      if (i > 0) out.line();
      out.line(`${out.colors.bold(role)} ${out.colors.dim(`(${actors.map(oneLine).join(', ')}) ${limit}`)}`);
      const rows = list.map(({ power, rule }) => [`  ${rule}`, power]);
      printTable(out, rows, 1);
    }
    out.line(out.colors.dim('\nThe credential decides who acts, never a text. Every refusal names its rule.'));
  });
}
