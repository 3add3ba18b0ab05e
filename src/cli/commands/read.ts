import { isRefusal } from '../../core/refusal.ts';
import { type EventLog, eventOf, type Stored, wireOf } from '../../log/event-log.ts';
import { cursorOf, placeOf } from '../../protocol/cursor.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { ago } from '../output/time.ts';
import { createTimeline } from '../output/timeline.ts';
import { threadOfLog } from '../threads/find.ts';

interface Options {
  readonly after?: string;
  readonly count?: string;
}

const NEWEST = 50;
const PAGE = 500;

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .option('--after <cursor>', 'only what came after this cursor, or after event number N')
    .option('-n, --count <n>', `show at most N events; 0 for all (default: the newest ${NEWEST})`)
    .addHelpText(
      'after',
      examples('heddle read Garden', 'heddle read 7Q2FJK -n 200', 'heddle read Garden --json --after t1.2f'),
    )
    .action((name: string, options: Options) => read(start(), name, options));

function read(cli: Cli, name: string, options: Options): Promise<void> {
  const { out } = cli;
  return withLog(cli, async (log) => {
    const thread = await threadOfLog(log, name);
    const head = (await log.lastOf(thread.id))?.seq ?? 0;
    const range = rangeOf(options, head);
    if (out.json) return printJson(cli, log, thread.id, range, head);
    const now = Date.now();
    const show = createTimeline(out, { time: (ts) => ago(ts, now) });
    const earlier = options.after === undefined ? range.after : 0;
    out.line(out.colors.bold(oneLine(thread.title)) + out.colors.dim(`  ${thread.id}`));
    if (earlier > 0) out.line(out.colors.dim(`… ${earlier} earlier events; "-n 0" shows all`));
    for await (const rows of pages(log, thread.id, range)) {
      for (const row of rows) show(eventOf(row));
      await out.drained();
    }
  });
}

interface Range {
  readonly after: number;
  readonly last: number;
}

function rangeOf({ after, count }: Options, head: number): Range {
  const most = count === undefined ? undefined : countOf(count);
  if (after === undefined) {
    const shown = most ?? NEWEST;
    return { after: shown === 0 ? 0 : Math.max(0, head - shown), last: head };
  }
  const place = /^#?\d+$/.test(after) ? Number(after.replace('#', '')) : placeOf('thread', after);
  if (isRefusal(place)) throw new Failure(place.refusal.code, place.refusal.message, EXIT.refused);
  return { after: place, last: most ? Math.min(head, place + most) : head };
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"-n ${text}" is not a number of events.`);
}

async function* pages(log: EventLog, thread: string, { after, last }: Range): AsyncGenerator<readonly Stored[]> {
  for (let seq = after; seq < last; ) {
    const rows = await log.readThread(thread, seq, Math.min(PAGE, last - seq));
    if (rows.length === 0) return;
    yield rows;
    seq = (rows.at(-1) as Stored).seq;
  }
}

/** One document, written page by page: a thread may be larger than the memory. */
async function printJson({ out }: Cli, log: EventLog, thread: string, range: Range, head: number): Promise<void> {
  let cursor = Math.min(range.after, head);
  out.part(`{"thread":${JSON.stringify(thread)},"events":[`);
  for await (const rows of pages(log, thread, range)) {
    await out.part((cursor > range.after ? ',' : '') + rows.map(wireOf).join(','));
    cursor = (rows.at(-1) as Stored).seq;
  }
  out.part(`],"cursor":"${cursorOf('thread', cursor)}","head":"${cursorOf('thread', head)}"}\n`);
}
