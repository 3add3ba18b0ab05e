import { archiveLine } from '../../core/dialogue/view/archive.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';

const PAGE = 1000;

/**
 * The archive of a dialogue as JSON Lines, page by page, including the part inherited from the thread it forked from
 * (D8).
 */
export async function* readArchive(log: EventLog, thread: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await log.readThread(thread, after, PAGE);
    const lines = rows.flatMap((row) => archiveLine(eventOf(row)) ?? []);
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.seq;
  }
}
