import { powersView } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { withExchange } from '../reader.ts';

export const declare: DeclareCommand = (command, getCli) =>
  command.examples('logos powers', 'logos powers --json').action(() => powers(getCli()));

function powers(cli: Cli): Promise<void> {
  const { out } = cli;
  return withExchange(cli, ({ exchange }) => {
    const view = powersView(exchange);
    if (out.json) return out.value(view);
    for (const [i, { role, actors, powers: list, limit }] of view.roles.entries()) {
      if (i > 0) out.line();
      out.line(`${out.colors.bold(role)} ${out.colors.dim(`(${actors.map(oneLine).join(', ')}) ${limit}`)}`);
      const rows = list.map(({ power, rule }) => [`  ${rule}`, power]);
      printTable(out, rows, 1);
    }
    out.line(out.colors.dim('\nWho acts is told by the credential, never by a text; a "no" names the rule.'));
  });
}
