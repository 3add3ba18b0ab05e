import type { ThreadClient } from '../../../client/index.ts';
import { AuditSkipped } from '../../../core/exchange/events.ts';
import { exchangeStatus } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { contentOf } from '../../threads/send.ts';
import { followAndConclude, followRounds, nextStepOf, startedBy } from '../follow.ts';
import { requireReason } from '../input.ts';

interface LogosAuditOptions {
  readonly skip?: true;
  readonly reason?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--skip', 'skip the audit that is due; the next one is due as usual')
    .option('--reason <text>', 'with --skip: why; it is shown to the pool')
    .examples('logos audit', 'logos audit --json', 'logos audit --skip --reason "Its model is away."', 'logos audits')
    .footnote('The auditor reads the pool and follows its specification: "logos terms auditor".')
    .run((cli, options: LogosAuditOptions) => (options.skip ? skipAudit(cli, options) : audit(cli)));

/** Resumes and shows rounds that were held because the auditor failed. */
async function skipAudit(cli: Cli, options: LogosAuditOptions): Promise<void> {
  const reason = requireReason([], options.reason);
  await followAndConclude(cli, async (thread) => {
    const result = await thread.command('skip_audit', { reason });
    cli.out.answer(result, `Audit ${contentOf(result, AuditSkipped).audit} was skipped.`);
    return startedBy(result);
  });
}

async function audit(cli: Cli): Promise<void> {
  const { out } = cli;
  const requestAudit = async (thread: ThreadClient) => {
    await thread.command('audit_now', {});
    return { audit: true } as const;
  };
  const { state: exchange } = await followRounds(cli, requestAudit, () => {});
  const status = exchangeStatus(exchange);
  const next = status.awaiting === undefined ? 'Answer it: logos observe "…"' : nextStepOf(status);
  if (next) out.note(out.colors.dim(next));
}
