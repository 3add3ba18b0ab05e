import type { ExchangeStatus } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { counted } from '../../output/numbers.ts';
import { oneLine, wrap } from '../../output/text.ts';
import { nextOf } from '../follow.ts';
import { attentionLines, mindWords } from '../format.ts';
import { restartWords, runWords } from '../run.ts';
import { withExchangeViews } from '../views.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('logos status', 'logos status --json', 'logos --thread "Garden"'))
    .action(() => status(start()));

function status(cli: Cli): Promise<void> {
  const { out } = cli;
  const { dim, bold, yellow } = out.colors;
  return withExchangeViews(cli, async (views, { id, title }) => {
    const view = await views.status();
    if (out.json) return out.value({ thread: id, title, ...view });
    out.line(`${bold(oneLine(title))} ${dim(id)}`);
    const question = oneLine(view.question);
    if (question !== oneLine(title)) for (const line of wrap(`Question: ${question}`, out.width)) out.line(line);
    for (const line of attentionLines(view.attention, out, out.width)) out.line(line);
    for (const line of restartWords(view).flatMap((text) => wrap(text, out.width - 2))) out.line(yellow(`  ${line}`));
    out.line(standWords(view));
    if (view.run) out.line(runWords(view.run));
    if (view.branch) out.line(dim(branchWords(view.branch)));
    const { rounds } = await views.rounds({ limit: 1 });
    out.line(dim(`Minds: ${mindWords(view, rounds)}`));
    const next = nextOf(view);
    if (next) out.note(dim(next));
  });
}

const PHASES = {
  free_running: 'Free running (no restart was answered yet)',
  structured: 'Structured (since a restart was answered)',
};

function standWords({
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
  const due = audit_due ? 'one is due' : `the next in ${counted(next_audit, 'round')}`;
  return [
    `${PHASES[phase]}: ${counted(round, 'round')}`,
    `${counted(thoughts, 'thought')} (${active} active, ${counted(clusters, 'cluster')}${vetoed.length > 0 ? `, ${vetoed.length} hidden` : ''})`,
    `${counted(audits, 'audit')}, ${due}`,
    `terms version ${terms}`,
  ].join('; ');
}

function branchWords({ kind, from, reason }: NonNullable<ExchangeStatus['branch']>): string {
  const what = { branch: 'A branch', rollback: 'Gone back', control: 'A control branch' }[kind];
  return `${what} from round ${from.round} of ${from.thread}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
}
