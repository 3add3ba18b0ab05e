import { exchangeStatus } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { answer, contentIn, type Done } from '../../threads/send.ts';
import { conclude, follow, goesOn, nextOf } from '../follow.ts';
import { reasonIn } from '../input.ts';

interface Options {
  readonly skip?: true;
  readonly reason?: string;
}

export const declare: Declare = (command, start) =>
  command
    .option('--skip', 'go on without the audit that is due; the next one falls due as usual')
    .option('--reason <text>', 'with --skip: why; it is shown to the pool')
    .addHelpText(
      'after',
      examples('logos audit', 'logos audit --json', 'logos audit --skip --reason "Its model is away."', 'logos audits'),
    )
    .addHelpText('after', '\nThe auditor reads the pool and writes by its specification: "logos terms auditor".')
    .action((options: Options) => (options.skip ? skip(start(), options) : audit(start())));

/** Rounds that were held because the auditor failed go on, and are shown. */
async function skip(cli: Cli, options: Options): Promise<void> {
  const reason = reasonIn([], options.reason);
  let done: Done | undefined;
  const reading = await follow(cli, {
    begin: async (thread) => {
      done = await thread.command('skip_audit', { reason });
      answer(cli, done, `Audit ${contentIn(done).audit} was skipped.`);
      return goesOn(done) ? {} : undefined;
    },
  });
  if (done && goesOn(done)) conclude(cli, reading);
}

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
