import { exchangeStatus } from '../../../core/exchange/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../declare.ts';
import { follow, nextOf } from '../follow.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('logos audit', 'logos audit --json', 'logos audits'))
    .addHelpText('after', '\nThe auditor reads the pool and writes by its specification: "logos terms auditor".')
    .action(() => audit(start()));

async function audit(cli: Cli): Promise<void> {
  const { out } = cli;
  const { exchange } = await follow(cli, {
    begin: async (thread) => {
      await thread.command('audit_now', {});
      return { audit: true };
    },
    onRound: () => {},
  });
  const status = exchangeStatus(exchange);
  const next = status.awaiting === undefined ? 'Say something to it: logos observe "…"' : nextOf(status);
  if (next) out.note(out.colors.dim(next));
}
