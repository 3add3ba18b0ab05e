import type { Event } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type EventLog, eventOf, eventTypeOf, type StoredEvent, wireTextOf } from '../../log/event-log.ts';
import { cursorOf, parseCursor } from '../../protocol/cursor.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { parseDigits } from '../input/numbers.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';
import { createTimeline, versionKeyOf } from '../output/timeline.ts';
import { findThreadInLog } from '../threads/find.ts';

interface ReadCommandOptions {
  readonly after?: string;
  readonly count?: string;
}

const DEFAULT_COUNT = 50;
const PAGE = 500;

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', THREAD_HELP)
    .option('--after <cursor>', 'only events after this cursor, or after event number N')
    .option('-n, --count <n>', `show at most N events; 0 for all (default: the newest ${DEFAULT_COUNT})`)
    .examples('heddle read Garden', 'heddle read 7Q2FJK -n 200', 'heddle read Garden --json --after t1.2f')
    .run(read);

function read(cli: Cli, name: string, options: ReadCommandOptions): Promise<void> {
  const { out } = cli;
  return withLog(cli, async (log) => {
    const thread = await findThreadInLog(log, name);
    const head = (await log.lastOf(thread.id))?.seq ?? 0;
    const range = rangeOf(options, head);
    if (out.json) return printJson(cli, log, thread.id, range, head);
    const now = Date.now();
    const show = createTimeline(out, { formatTime: (ts) => formatAgo(ts, now) });
    const earlierCount = options.after === undefined ? range.after : 0;
    out.line(out.colors.bold(oneLine(thread.title)) + out.colors.dim(`  ${thread.id}`));
    if (earlierCount > 0) out.line(out.colors.dim(`… ${earlierCount} earlier events; "-n 0" shows all`));
    const versions = thread.edits ? await readVersions(log, thread.id, range.after) : new Map<string, Event>();
    for await (const rows of readPages(log, thread.id, range)) {
      for (const row of rows) show(eventOf(row), versions);
      await out.drained();
    }
  });
}

/** The newest version of each message after a seq that its author edited (T35), by the message's id and author. */
async function readVersions(log: EventLog, thread: string, after: number): Promise<ReadonlyMap<string, Event>> {
  const versions = new Map<string, Event>();
  for await (const rows of readPages(log, thread, { after, last: Number.MAX_SAFE_INTEGER })) {
    for (const row of rows.filter((each) => eventTypeOf(each) === 'message.versioned')) {
      const event = eventOf(row);
      versions.set(versionKeyOf((event.content as { of: string }).of, event), event);
    }
  }
  return versions;
}

interface ReadRange {
  readonly after: number;
  readonly last: number;
}

function rangeOf({ after, count }: ReadCommandOptions, head: number): ReadRange {
  const complaint = `"-n ${count}" is not a valid number of events.`;
  const maxEvents = count === undefined ? undefined : parseDigits(count, complaint);
  if (after === undefined) {
    const eventCount = maxEvents ?? DEFAULT_COUNT;
    return { after: eventCount === 0 ? 0 : Math.max(0, head - eventCount), last: head };
  }
  const position = /^#?\d+$/.test(after) ? Number(after.replace('#', '')) : parseCursor('thread', after);
  if (isRefusal(position)) throw new Failure(position.refusal.code, position.refusal.message, EXIT.refused);
  return { after: position, last: maxEvents ? Math.min(head, position + maxEvents) : head };
}

async function* readPages(
  log: EventLog,
  thread: string,
  { after, last }: ReadRange,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let seq = after; seq < last; ) {
    const rows = await log.readThread(thread, seq, Math.min(PAGE, last - seq));
    if (rows.length === 0) return;
    yield rows;
    seq = (rows.at(-1) as StoredEvent).seq;
  }
}

/** Writes one JSON document page by page, because a thread may not fit in memory. */
async function printJson({ out }: Cli, log: EventLog, thread: string, range: ReadRange, head: number): Promise<void> {
  let cursor = Math.min(range.after, head);
  out.part(`{"thread":${JSON.stringify(thread)},"events":[`);
  for await (const rows of readPages(log, thread, range)) {
    await out.part((cursor > range.after ? ',' : '') + rows.map(wireTextOf).join(','));
    cursor = (rows.at(-1) as StoredEvent).seq;
  }
  out.part(`],"cursor":"${cursorOf('thread', cursor)}","head":"${cursorOf('thread', head)}"}\n`);
}
