import {
  type AuditRow,
  auditsView,
  entriesView,
  exchangeStatus,
  type RoundRow,
  roundsView,
} from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { withWorker } from '../../connect/client.ts';
import { createWakes } from '../../connect/wakes.ts';
import { untilInterrupted } from '../../output/progress.ts';
import { chatOnScreen } from '../chat/screen.ts';
import { attentionLines, auditLines, entryLines, roundLines } from '../format.ts';
import { type Reading, withExchange } from '../reader.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('logos chat', 'logos chat --json', 'logos chat --thread "Garden"'))
    .addHelpText(
      'after',
      `
Audits appear as they are written; o answers in place, r lets the minds think, p pauses and goes on (also without an answer), a asks for an audit, i injects, m amends, s skips an audit that is due.
When the pool asks for a restart: b branches, l rolls back, m amends, k acknowledges, h halts. q ends.
Where there is no terminal it tells what comes, and takes nothing in.`,
    )
    .action(() => chat(start()));

function chat(cli: Cli): Promise<void> {
  const hasScreen = !cli.out.json && process.stdout.isTTY && process.stdin.isTTY;
  const signal = untilInterrupted();
  return withExchange(cli, (reading, log) => {
    const wakes = createWakes(cli, log, signal);
    if (!hasScreen) return chatInLines(cli, reading, wakes, signal).finally(wakes.close);
    return withWorker(cli, async (client, server) => {
      const ended = await chatOnScreen(cli, reading, { log, client, wakes });
      // Where only this process works, nothing goes on without it: it is left so that "logos run" goes on.
      const unseen = !server && ended.exchange.run?.state === 'running';
      if (unseen) await client.thread(ended.id).command('pause_rounds', {});
      if (unseen) cli.out.note('The rounds are paused. Go on: logos run');
    }).finally(wakes.close);
  });
}

/** Rounds, audits, what else was said, and each change of attention, for a pipe or a program. */
async function chatInLines(
  { out }: Cli,
  reading: Reading,
  wakes: ReturnType<typeof createWakes>,
  signal: AbortSignal,
): Promise<void> {
  let { rounds, audits, entries } = lengths(reading);
  let said = '';
  const tell = (value: object, lines: readonly string[]) => {
    if (out.json) out.value(value);
    else for (const line of lines) out.line(line);
  };
  while (!signal.aborted) {
    const woken = wakes.next();
    await reading.refresh();
    const { exchange } = reading;
    for (; rounds < exchange.rounds.length; rounds++) {
      const round = roundsView(exchange, { before: rounds + 2, limit: 1 }).rounds[0] as RoundRow;
      tell({ round }, roundLines(round, out, out.width));
    }
    for (; audits < exchange.audits.length; audits++) {
      const audit = auditsView(exchange, { before: audits + 2, limit: 1 }).audits[0] as AuditRow;
      tell({ audit }, auditLines(audit, out, out.width, Date.now()));
    }
    const fresh = exchange.entries.length - entries;
    entries = exchange.entries.length;
    for (const entry of entriesView(exchange, { limit: fresh }).entries.toReversed()) {
      if (['injection', 'observer', 'restart', 'policy'].includes(entry.type))
        tell({ entry }, entryLines(entry, out, out.width));
    }
    const status = exchangeStatus(exchange);
    const attention = `${status.attention.level} ${status.attention.reason}`;
    if (said !== attention) tell({ status }, attentionLines(status.attention, out, out.width));
    said = attention;
    await woken;
  }
}

function lengths({ exchange: { rounds, audits, entries } }: Reading) {
  return { rounds: rounds.length, audits: audits.length, entries: entries.length };
}
