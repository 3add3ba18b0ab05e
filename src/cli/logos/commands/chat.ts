import type { AuditRow, RoundRow } from '../../../core/exchange/view/schema.ts';
import { auditsView, entriesView, exchangeStatus, roundsView } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { watchChanges } from '../../connect/changes.ts';
import { withWorker } from '../../connect/client.ts';
import { interruptSignal } from '../../output/progress.ts';
import { openThreadReader, withCurrentThread } from '../../threads/reader.ts';
import { chatOnScreen } from '../chat/screen.ts';
import type { ExchangeReader } from '../follow.ts';
import { attentionLines, auditLines, entryLines, roundLines } from '../format.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('logos chat', 'logos chat --json', 'logos chat --thread "Garden"')
    .footnote(`Audits appear as they are written; o answers them, r runs rounds, p pauses and continues (even without an answer), a asks for an audit, i injects, m amends, s skips an audit that is due.
When the pool asks for a restart: b branches, l rolls back, m amends, k acknowledges, h halts. q ends.
Without a terminal, it only prints events.`)
    .run(chat);

function chat(cli: Cli): Promise<void> {
  const hasScreen = !cli.out.json && process.stdout.isTTY && process.stdin.isTTY;
  const signal = interruptSignal();
  return withCurrentThread(cli, async (thread, _, readClient) => {
    const reader = await openThreadReader(thread, 'exchange');
    const changes = watchChanges(cli, readClient, signal);
    if (!hasScreen) return chatInLines(cli, reader, changes, signal).finally(changes.close);
    return withWorker(cli, async (client, server) => {
      const finalReader = await chatOnScreen(cli, reader, { readClient, client, changes });
      // Without a server no work continues after this process, so pause the rounds for "logos run" to continue.
      const isUnattended = !server && finalReader.state.run?.state === 'running';
      if (isUnattended) await client.thread(finalReader.id).command('pause_run', {});
      if (isUnattended) cli.out.note('The rounds are paused. Continue: logos run');
    }).finally(changes.close);
  });
}

/** Prints rounds, audits, other entries and attention changes as lines, for a pipe or a program. */
async function chatInLines(
  { out }: Cli,
  reader: ExchangeReader,
  changes: ReturnType<typeof watchChanges>,
  signal: AbortSignal,
): Promise<void> {
  let { rounds, audits, entries } = countsOf(reader);
  let lastAttention = '';
  const print = (value: object, lines: readonly string[]) => {
    if (out.json) out.value(value);
    else out.lines(lines);
  };
  while (!signal.aborted) {
    const nextChange = changes.next();
    await reader.refresh();
    const { state: exchange } = reader;
    for (; rounds < exchange.rounds.length; rounds++) {
      const round = roundsView(exchange, { before: rounds + 2, limit: 1 }).rounds[0] as RoundRow;
      print({ round }, roundLines(round, out, out.width));
    }
    for (; audits < exchange.audits.length; audits++) {
      const audit = auditsView(exchange, { before: audits + 2, limit: 1 }).audits[0] as AuditRow;
      print({ audit }, auditLines(audit, out, out.width, Date.now()));
    }
    const newCount = exchange.entries.length - entries;
    entries = exchange.entries.length;
    for (const entry of entriesView(exchange, { limit: newCount }).entries.toReversed()) {
      if (['injection', 'observer', 'restart', 'policy'].includes(entry.type))
        print({ entry }, entryLines(entry, out, out.width));
    }
    const status = exchangeStatus(exchange);
    const attention = `${status.attention.level} ${status.attention.reason}`;
    if (lastAttention !== attention) print({ status }, attentionLines(status.attention, out, out.width));
    lastAttention = attention;
    await nextChange;
  }
}

function countsOf({ state: { rounds, audits, entries } }: ExchangeReader) {
  return { rounds: rounds.length, audits: audits.length, entries: entries.length };
}
