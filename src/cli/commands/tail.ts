import { titleText } from '../../core/threads/title.ts';
import { type EventLog, eventOf, type Stored, StoreUnavailable, wireOf } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { createWakes } from '../connect/wakes.ts';
import { look, mustKnowToken } from '../connect/workspace.ts';
import { usage } from '../failure.ts';
import { untilInterrupted } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { clock } from '../output/time.ts';
import { createTimeline } from '../output/timeline.ts';
import { createDrawnLines } from '../terminal/footer.ts';
import { followServedText, liveLine } from '../terminal/live-text.ts';
import { threadOfLog, threadsOfLog } from '../threads/find.ts';

interface Options {
  readonly count?: string;
}

const PAGE = 500;
const SHOWN_FIRST = 10;
const MOST_WRITERS = 4;

export const declare: Declare = (command, start) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, all threads')
    .option('-n, --count <n>', `begin with the last N events (default: ${SHOWN_FIRST})`)
    .addHelpText(
      'after',
      examples('heddle tail', 'heddle tail Garden -n 50', 'heddle tail Garden --json | jq -r .content'),
    )
    .addHelpText(
      'after',
      '\nOn a terminal, the last lines show what models are writing. It goes on through restarts of the server, until Ctrl-C.',
    )
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
    const timeline = await openTimeline(cli, log, thread);
    const foot = openFoot(cli, thread, timeline.nameOf, wakes.again);
    const show = cli.out.json ? (row: Stored) => cli.out.part(`${wireOf(row)}\n`) : timeline.show;
    const head = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
    let place = Math.max(0, head - Number(count));
    try {
      while (!signal.aborted) {
        const woken = wakes.next();
        for (const row of await readOn(cli, log, thread, place)) {
          foot?.clear();
          await show(row);
          place = thread ? row.seq : row.position;
          wakes.again();
        }
        foot?.draw();
        await woken;
      }
    } finally {
      foot?.close();
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

interface Timeline {
  show(row: Stored): void;
  /** What the thread is called, where several are mixed. */
  nameOf?(thread: string): string;
}

async function openTimeline({ out }: Cli, log: EventLog, thread: string | undefined): Promise<Timeline> {
  if (thread) {
    const show = createTimeline(out, { time: clock });
    return { show: (row) => show(eventOf(row)) };
  }
  const titles = new Map((await threadsOfLog(log)).map(({ id, title }) => [id, title]));
  const nameOf = (id: string) => titles.get(id) ?? id.slice(-6);
  const show = createTimeline(out, { time: clock, thread: nameOf });
  return {
    nameOf,
    show(row) {
      const event = eventOf(row);
      const named = event.type === 'thread.created' || event.type === 'thread.renamed';
      if (named) titles.set(event.thread, titleText((event.content as { title?: unknown } | null)?.title));
      show(event);
    },
  };
}

/** What models are writing, below what was written (M12); on a terminal only. */
function openFoot(cli: Cli, thread: string | undefined, nameOf: Timeline['nameOf'], onChange: () => void) {
  const { out } = cli;
  const { stdout, stderr } = process;
  if (out.json || !stdout.isTTY || !stderr.isTTY) return undefined;
  const lines = createDrawnLines(stderr);
  const texts = followServedText(cli, onChange);
  return {
    draw() {
      const here = texts.current().filter((text) => thread === undefined || text.thread === thread);
      const named = here.slice(-MOST_WRITERS).map((text) => {
        return nameOf ? { ...text, from: `[${oneLine(nameOf(text.thread))}] ${text.from}` } : text;
      });
      lines.draw(named.map((text) => liveLine(text, out, lines.width())));
    },
    clear: lines.clear,
    close() {
      texts.close();
      lines.clear();
    },
  };
}
