import { AuditSkipped } from '../../../core/exchange/events.ts';
import { exchangeStatus } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { contentOf, printResult, type ThreadCommandResult } from '../../threads/send.ts';
import { followRounds, hasStartedRounds, nextStepOf, printConclusion } from '../follow.ts';
import { requireReason } from '../input.ts';

interface LogosAuditOptions {
  readonly skip?: true;
  readonly reason?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--skip', 'go on without the audit that is due; the next one falls due as usual')
    .option('--reason <text>', 'with --skip: why; it is shown to the pool')
    .examples('logos audit', 'logos audit --json', 'logos audit --skip --reason "Its model is away."', 'logos audits')
    .footnote('The auditor reads the pool and writes by its specification: "logos terms auditor".')
    .run((cli, options: LogosAuditOptions) => (options.skip ? skipAudit(cli, options) : audit(cli)));

/** Resumes and shows rounds that were held because the auditor failed. */
async function skipAudit(cli: Cli, options: LogosAuditOptions): Promise<void> {
  const reason = requireReason([], options.reason);
  let result: ThreadCommandResult | undefined;
  const reader = await followRounds(cli, {
    begin: async (thread) => {
      result = await thread.command('skip_audit', { reason });
      printResult(cli, result, `Audit ${contentOf(result, AuditSkipped).audit} was skipped.`);
      return hasStartedRounds(result) ? {} : undefined;
    },
  });
  if (result && hasStartedRounds(result)) printConclusion(cli, reader);
}

async function audit(cli: Cli): Promise<void> {
  const { out } = cli;
  const { state: exchange } = await followRounds(cli, {
    begin: async (thread) => {
      await thread.command('audit_now', {});
      return { audit: true };
    },
    onRound: () => {},
  });
  const status = exchangeStatus(exchange);
  const next = status.awaiting === undefined ? 'Say something to it: logos observe "…"' : nextStepOf(status);
  if (next) out.note(out.colors.dim(next));
}
