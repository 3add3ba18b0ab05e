import type { DialogueStatus } from '../../../client/index.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withCommandPrefix } from '../../output/hints.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { oneLine, shorten } from '../../output/text.ts';
import { formatAgo } from '../../output/time.ts';
import { withCurrentThread, withoutHead } from '../../threads/reader.ts';
import { attentionLines, formatWriter, writerOf } from '../format.ts';
import { summarizeMindRun } from '../run.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('mind status', 'mind status --json', 'mind --thread "Garden plans"').run(status);

function status(cli: Cli): Promise<void> {
  const { out } = cli;
  const { dim, bold } = out.colors;
  return withCurrentThread(cli, async ({ dialogue }, { id, title }) => {
    const view = await dialogue.status();
    if (out.json) return out.value(withoutHead(view));
    out.line(`${bold(oneLine(title))} ${dim(id)}`);
    out.lines(attentionLines(view.attention, out, out.width));
    if (view.warning) out.line(out.colors.yellow(view.warning));
    out.lines(turnLines(view, out));
    const { unseen, last_seen } = await dialogue.away();
    if (unseen > 0 && last_seen !== null)
      out.line(dim(withCommandPrefix(`${unseen} new since #${last_seen}, the last reply you saw: mind away`)));
    out.line(
      dim(
        `${pluralize(view.iter, 'iteration')} and ${pluralize(view.thoughts, 'thought')} so far,${view.iter > 1 ? ' the latest' : ''} by ${formatWriter(view.self, await writerOf(dialogue, view.iter))}; you are ${view.engagement}`,
      ),
    );
    const next = nextStepOf(view);
    if (next) out.note(dim(next));
  });
}

function turnLines({ turn, run, drafts }: DialogueStatus, { width, currency }: TerminalOutput): readonly string[] {
  if (!turn) return [];
  const { message, by, ts, unseen, steer } = turn;
  return [
    shorten(`Turn ${turn.turn}, ${oneLine(by)} ${formatAgo(ts, Date.now())}: ${oneLine(message)}`, width),
    ...steer.map((note) => shorten(`  steered: ${oneLine(note)}`, width)),
    `${pluralize(drafts, 'draft')}${unseen > 0 && drafts > 0 ? `, ${unseen} of them not seen` : ''}${run ? `; ${summarizeMindRun(run, currency)}` : ''}`,
  ];
}

function nextStepOf({ attention, turn }: DialogueStatus): string | undefined {
  if (attention.level === 'idle') return 'Send a message: mind message "…"';
  if (turn?.latest_reply == null) return 'Let the mind think: mind run';
  return `Read them: mind drafts. Make one the answer: mind accept ${turn.latest_reply}`;
}
