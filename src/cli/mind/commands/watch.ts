import { iterOf } from '../../../core/dialogue/state.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import { type IterationView, iterationView, statusView } from '../../../core/dialogue/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { createWakes } from '../../connect/wakes.ts';
import { untilInterrupted } from '../../output/progress.ts';
import { attentionLines, iterationLine } from '../format.ts';
import { type Reading, withDialogue } from '../reader.ts';
import { watchOnScreen } from '../watch/screen.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('mind watch', 'mind watch --json', 'mind watch --thread "Garden plans"'))
    .addHelpText(
      'after',
      '\nKeys: a accepts the draft that is marked, s steers, m marks what is on the screen as seen, ↑ and ↓ choose, q ends.\nWhile you watch on a terminal, the mind is told that you are reading, and drafts on the screen count as seen.',
    )
    .action(() => watch(start()));

/** Follows the log itself: it goes on whoever works, and through restarts of a server. */
function watch(cli: Cli): Promise<void> {
  const onScreen = !cli.out.json && process.stdout.isTTY && process.stdin.isTTY;
  const signal = untilInterrupted();
  return withDialogue(cli, async (reading, log) => {
    const wakes = createWakes(cli, log, signal);
    try {
      if (onScreen) await watchOnScreen(cli, reading, wakes);
      else await watchInLines(cli, reading, wakes, signal);
    } finally {
      wakes.close();
    }
  });
}

/** Each iteration and each change of attention, for a pipe or a program. */
async function watchInLines(
  { out }: Cli,
  reading: Reading,
  wakes: ReturnType<typeof createWakes>,
  signal: AbortSignal,
): Promise<void> {
  let told = iterOf(reading.dialogue);
  let said = '';
  while (!signal.aborted) {
    const woken = wakes.next();
    await reading.refresh();
    const { dialogue } = reading;
    for (; told < iterOf(dialogue); told++) {
      const view = iterationView(dialogue, told + 1) as IterationView;
      if (out.json) out.value({ iteration: view });
      else out.line(iterationLine(view, out, out.width));
    }
    const { level, reason } = attentionOf(dialogue);
    if (said !== `${level} ${reason}`) {
      said = `${level} ${reason}`;
      if (out.json) out.value({ status: statusView(dialogue) });
      else for (const line of attentionLines({ level, reason }, out, out.width)) out.line(line);
    }
    await woken;
  }
}
