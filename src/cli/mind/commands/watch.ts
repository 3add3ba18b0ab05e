import { iterationCount } from '../../../core/dialogue/state.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { IterationView } from '../../../core/dialogue/view/schema.ts';
import { iterationView, statusView } from '../../../core/dialogue/view/view.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { watchChanges } from '../../connect/changes.ts';
import { interruptSignal } from '../../output/progress.ts';
import { openThreadReader, withCurrentThread } from '../../threads/reader.ts';
import type { DialogueReader } from '../follow.ts';
import { attentionLines, iterationLine } from '../format.ts';
import { watchOnScreen } from '../watch/screen.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('mind watch', 'mind watch --json', 'mind watch --thread "Garden plans"')
    .footnote(
      'Keys: a accepts the marked draft, s steers, m marks everything on the screen as seen, ↑ and ↓ choose, q quits.\nWhile you watch on a terminal, the mind knows that you are reading, and drafts on the screen count as seen.',
    )
    .run(watch);

/** Works with any worker and across server restarts. */
function watch(cli: Cli): Promise<void> {
  const hasScreen = !cli.out.json && process.stdout.isTTY && process.stdin.isTTY;
  const signal = interruptSignal();
  return withCurrentThread(cli, async (thread, _, client) => {
    const reader = await openThreadReader(thread, 'dialogue');
    const changes = watchChanges(cli, client, signal);
    try {
      if (hasScreen) await watchOnScreen(cli, reader, changes);
      else await watchInLines(cli, reader, changes, signal);
    } finally {
      changes.close();
    }
  });
}

/** Prints each iteration and each attention change as a line, for a pipe or a program. */
async function watchInLines(
  { out }: Cli,
  reader: DialogueReader,
  changes: ReturnType<typeof watchChanges>,
  signal: AbortSignal,
): Promise<void> {
  let shownIter = iterationCount(reader.state);
  let lastAttention = '';
  while (!signal.aborted) {
    const nextChange = changes.next();
    await reader.refresh();
    const { state: dialogue } = reader;
    for (; shownIter < iterationCount(dialogue); shownIter++) {
      const view = iterationView(dialogue, shownIter + 1) as IterationView;
      if (out.json) out.value({ iteration: view });
      else out.line(iterationLine(view, out, out.width));
    }
    const attention = attentionOf(dialogue);
    if (lastAttention !== `${attention.level} ${attention.reason}`) {
      lastAttention = `${attention.level} ${attention.reason}`;
      if (out.json) out.value({ status: statusView(dialogue) });
      else out.lines(attentionLines(attention, out, out.width));
    }
    await nextChange;
  }
}
