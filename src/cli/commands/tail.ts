import { titleGivenBy } from '../../core/threads/title.ts';
import { type EventLog, eventOf, type StoredEvent, StoreUnavailable, wireTextOf } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { watchChanges } from '../connect/changes.ts';
import { assertKnownToken, openReadOnlyLog } from '../connect/workspace.ts';
import { usageError } from '../failure.ts';
import { interruptSignal } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { formatClock } from '../output/time.ts';
import { createTimeline } from '../output/timeline.ts';
import { createFooter } from '../terminal/footer.ts';
import { followServedText, liveLine } from '../terminal/live-text.ts';
import { findThreadInLog, listThreadsInLog } from '../threads/find.ts';

interface TailOptions {
  readonly count?: string;
}

const PAGE = 500;
const INITIAL_COUNT = 10;
const MAX_WRITERS = 4;

export const declare: DeclareCommand = (command, getCli) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, all threads')
    .option('-n, --count <n>', `begin with the last N events (default: ${INITIAL_COUNT})`)
    .examples('heddle tail', 'heddle tail Garden -n 50', 'heddle tail Garden --json | jq -r .content')
    .footnote(
      'On a terminal, the last lines show what models are writing. It goes on through restarts of the server, until Ctrl-C.',
    )
    .action((name: string | undefined, options: TailOptions) => tail(getCli(), name, options));

/**
 * Follows the log itself, not a server's stream, so that it shows events
 * from every process and keeps going while a server restarts.
 */
async function tail(cli: Cli, name: string | undefined, { count = String(INITIAL_COUNT) }: TailOptions): Promise<void> {
  if (!/^\d{1,9}$/.test(count)) throw usageError(`"-n ${count}" is not a number of events.`);
  const signal = interruptSignal();
  const log = await openReadOnlyLog(cli);
  const changes = watchChanges(cli, log, signal);
  try {
    await assertKnownToken(log);
    const thread = name === undefined ? undefined : (await findThreadInLog(log, name)).id;
    const timeline = await openTimeline(cli, log, thread);
    const footer = createTailFooter(cli, thread, timeline.nameOf, changes.again);
    const show = cli.out.json ? (row: StoredEvent) => cli.out.part(`${wireTextOf(row)}\n`) : timeline.show;
    const head = thread ? ((await log.lastOf(thread))?.seq ?? 0) : await log.head();
    let position = Math.max(0, head - Number(count));
    try {
      while (!signal.aborted) {
        const nextChange = changes.next();
        for (const row of await readNext(cli, log, thread, position)) {
          footer?.clear();
          await show(row);
          position = thread ? row.seq : row.position;
          changes.again();
        }
        footer?.draw();
        await nextChange;
      }
    } finally {
      footer?.close();
    }
  } finally {
    changes.close();
    await log.close();
  }
}

/** Waits when the database is briefly unavailable. */
async function readNext(
  { out }: Cli,
  log: EventLog,
  thread: string | undefined,
  position: number,
): Promise<readonly StoredEvent[]> {
  try {
    return thread ? await log.readThread(thread, position, PAGE) : await log.readAll(position, PAGE);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    out.note(error.message);
    return [];
  }
}

interface TailTimeline {
  show(row: StoredEvent): void;
  /** The thread's name, when events of several threads are mixed. */
  nameOf?(thread: string): string;
}

async function openTimeline({ out }: Cli, log: EventLog, thread: string | undefined): Promise<TailTimeline> {
  if (thread) {
    const show = createTimeline(out, { formatTime: formatClock });
    return { show: (row) => show(eventOf(row)) };
  }
  const titles = new Map((await listThreadsInLog(log)).map(({ id, title }) => [id, title]));
  const nameOf = (id: string) => titles.get(id) ?? id.slice(-6);
  const show = createTimeline(out, { formatTime: formatClock, threadName: nameOf });
  return {
    nameOf,
    show(row) {
      const event = eventOf(row);
      const title = titleGivenBy(event);
      if (title !== undefined) titles.set(event.thread, title);
      show(event);
    },
  };
}

/** Shows what models are writing, below the recorded events (M12). Only on a terminal. */
function createTailFooter(cli: Cli, thread: string | undefined, nameOf: TailTimeline['nameOf'], onChange: () => void) {
  const { out } = cli;
  const { stdout, stderr } = process;
  if (out.json || !stdout.isTTY || !stderr.isTTY) return undefined;
  const footer = createFooter(stderr);
  const liveTexts = followServedText(cli, onChange);
  return {
    draw() {
      const visibleTexts = liveTexts.current().filter((text) => thread === undefined || text.thread === thread);
      const labeledTexts = visibleTexts.slice(-MAX_WRITERS).map((text) => {
        return nameOf ? { ...text, from: `[${oneLine(nameOf(text.thread))}] ${text.from}` } : text;
      });
      footer.draw(labeledTexts.map((text) => liveLine(text, out, footer.width())));
    },
    clear: footer.clear,
    close() {
      liveTexts.close();
      footer.clear();
    },
  };
}
