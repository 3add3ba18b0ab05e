import type { ExchangeStatus } from '../../../client/index.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { oneLine, wrap } from '../../output/text.ts';
import { withCurrentThread, withoutHead } from '../../threads/reader.ts';
import { nextStepOf } from '../follow.ts';
import { attentionLines, formatMinds } from '../format.ts';
import { restartReasons, summarizeRounds } from '../run.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('logos status', 'logos status --json', 'logos --thread "Garden"').run(status);

function status(cli: Cli): Promise<void> {
  const { out } = cli;
  const { dim, bold, yellow } = out.colors;
  return withCurrentThread(cli, async ({ exchange }, { id, title }) => {
    const view = await exchange.status();
    if (out.json) return out.value({ thread: id, title, ...withoutHead(view) });
    out.line(`${bold(oneLine(title))} ${dim(id)}`);
    const question = oneLine(view.question);
    if (question !== oneLine(title)) out.lines(wrap(`Question: ${question}`, out.width));
    out.lines(attentionLines(view.attention, out, out.width));
    for (const line of restartReasons(view).flatMap((text) => wrap(text, out.width - 2))) out.line(yellow(`  ${line}`));
    out.line(formatStanding(view));
    if (view.run) out.line(summarizeRounds(view.run, out.currency));
    if (view.branch) out.line(dim(describeBranch(view.branch)));
    const { rounds } = await exchange.rounds({ limit: 1 });
    out.line(dim(`Minds: ${formatMinds(view, rounds)}`));
    const next = nextStepOf(view);
    if (next) out.note(dim(next));
  });
}

const PHASES = {
  free_running: 'Free running (you have not answered a restart yet)',
  structured: 'Structured (you have answered a restart)',
};

function formatStanding({
  phase,
  round,
  thoughts,
  active,
  clusters,
  audits,
  next_audit,
  audit_due,
  terms,
  vetoed,
}: ExchangeStatus) {
  const auditPhrase = audit_due ? 'one is due' : `the next in ${pluralize(next_audit, 'round')}`;
  return [
    `${PHASES[phase]}: ${pluralize(round, 'round')}`,
    `${pluralize(thoughts, 'thought')} (${active} active, ${pluralize(clusters, 'cluster')}${vetoed.length > 0 ? `, ${vetoed.length} hidden` : ''})`,
    `${pluralize(audits, 'audit')}, ${auditPhrase}`,
    `terms version ${terms}`,
  ].join('; ');
}

function describeBranch({ kind, from, reason }: NonNullable<ExchangeStatus['branch']>): string {
  const what = { branch: 'A branch', rollback: 'Rolled back', control: 'A control branch' }[kind];
  return `${what} from round ${from.round} of ${from.thread}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
}
