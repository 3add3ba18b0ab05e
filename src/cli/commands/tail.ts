import { titleText } from '../../core/threads/title-text.ts';
import { type EventLog, eventOf, type Stored, StoreUnavailable, wireOf } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../declare.ts';
import { usage } from '../failure.ts';
import { threadOfLog, threadsOfLog } from '../find-thread.ts';
import { look, mustKnowToken } from '../own.ts';
import { untilInterrupted } from '../progress.ts';
import { clock } from '../time.ts';
import { createTimeline } from '../timeline.ts';
import { createWakes } from '../wakes.ts';

interface Options {
  readonly count?: string;
}

const PAGE = 500;
const SHOWN_FIRST = 10;

export const declare: Declare = (command, start) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, all threads')
    .option('-n, --count <n>', `begin with the last N events (default: ${SHOWN_FIRST})`)
    .addHelpText(
      'after',
      examples('heddle tail', 'heddle tail Garden -n 50', 'heddle tail Garden --json | jq -r .content'),
    )
    .addHelpText('after', '\nIt goes on through restarts of the server, until Ctrl-C.')
    .action((name: string | undefined, options: Options) => tail(start(), name, options));

/**
 * Follows the log itself, not a server's stream: what is committed is seen
 * whoever committed it, and a server that stops and starts goes unnoticed.
 */
async function tail(cli: Cli, name: string | undefined, { count = String(SHOWN_FIRST) }: Options): Promise<void> {
  if (!/^\d{1,9}$/.test(count)) throw usage(`"-n ${count}" is not a number of events.`);
  const signal = untilInterrupted();
  const log = await look(cli);
  const wakes = createWakes(cli, log, signal);
  try {
    await mustKnowToken(log);
    const thread = name === undefined ? undefined : (await threadOfLog(log, name)).id;
    const show = cli.out.json ? (row: Stored) => cli.out.part(`${wireOf(row)}\n`) : await timelineOf(cli, log, thread);
    const head = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
    let place = Math.max(0, head - Number(count));
    while (!signal.aborted) {
      const woken = wakes.next();
      for (const row of await readOn(cli, log, thread, place)) {
        await show(row);
        place = thread ? row.seq : row.position;
        wakes.again();
      }
      await woken;
    }
  } finally {
    wakes.close();
    await log.close();
  }
}

/** A database that is away for a moment is waited for. */
async function readOn(
  { out }: Cli,
  log: EventLog,
  thread: string | undefined,
  place: number,
): Promise<readonly Stored[]> {
  try {
    return thread ? await log.readThread(thread, place, PAGE) : await log.readAll(place, PAGE);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    out.note(error.message);
    return [];
  }
}

async function timelineOf({ out }: Cli, log: EventLog, thread: string | undefined): Promise<(row: Stored) => void> {
  if (thread) {
    const show = createTimeline(out, { time: clock });
    return (row) => show(eventOf(row));
  }
  const titles = new Map((await threadsOfLog(log)).map(({ id, title }) => [id, title]));
  const show = createTimeline(out, { time: clock, thread: (id) => titles.get(id) ?? id.slice(-6) });
  return (row) => {
    const event = eventOf(row);
    const named = event.type === 'thread.created' || event.type === 'thread.renamed';
    if (named) titles.set(event.thread, titleText((event.content as { title?: unknown } | null)?.title));
    show(event);
  };
}
