import type { DialogueStatusView } from '../../../core/dialogue/view/view.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withCommandPrefix } from '../../output/hints.ts';
import { oneLine, shorten } from '../../output/text.ts';
import { formatAgo } from '../../output/time.ts';
import { attentionLines, formatWriter } from '../format.ts';
import { summarizeMindRun } from '../run.ts';
import { withDialogueViews } from '../views.ts';

export const declare: DeclareCommand = (command, getCli) =>
  command.examples('mind status', 'mind status --json', 'mind --thread "Garden plans"').action(() => status(getCli()));

function status(cli: Cli): Promise<void> {
  const { out } = cli;
  const { dim, bold } = out.colors;
  return withDialogueViews(cli, async (views, { id, title }) => {
    const view = await views.status();
    if (out.json) return out.value(view);
    out.line(`${bold(oneLine(title))} ${dim(id)}`);
    for (const line of attentionLines(view.attention, out, out.width)) out.line(line);
    if (view.warning) out.line(out.colors.yellow(view.warning));
    for (const line of turnLines(view, out.width)) out.line(line);
    const { unseen, last_seen } = await views.away();
    if (unseen > 0 && last_seen !== null)
      out.line(dim(withCommandPrefix(`${unseen} new since #${last_seen}, the last reply you saw: mind away`)));
    out.line(
      dim(
        `${pluralize(view.iter, 'iteration')} and ${pluralize(view.thoughts, 'thought')} so far,${view.iter > 1 ? ' the latest' : ''} by ${formatWriter(view.self, await views.writer(view.iter))}; you are ${view.engagement}`,
      ),
    );
    const next = nextStepOf(view);
    if (next) out.note(dim(next));
  });
}

function turnLines({ turn, run, drafts }: DialogueStatusView, width: number): readonly string[] {
  if (!turn) return [];
  const { message, by, ts, unseen, steer } = turn;
  return [
    shorten(`Turn ${turn.turn}, ${oneLine(by)} ${formatAgo(ts, Date.now())}: ${oneLine(message)}`, width),
    ...steer.map((note) => shorten(`  steered: ${oneLine(note)}`, width)),
    `${pluralize(drafts, 'draft')}${unseen > 0 && drafts > 0 ? `, ${unseen} of them not seen` : ''}${run ? `; ${summarizeMindRun(run)}` : ''}`,
  ];
}

function nextStepOf({ attention, turn }: DialogueStatusView): string | undefined {
  if (attention.level === 'idle') return 'Say something: mind message "…"';
  if (turn?.latest_reply == null) return 'Let the mind think: mind run';
  return `Read them: mind drafts. Make one the answer: mind accept ${turn.latest_reply}`;
}
