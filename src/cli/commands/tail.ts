import { type Client, HeddleRefusal, type WireEvent } from '../../client/index.ts';
import { titleGivenBy } from '../../core/threads/title.ts';
import { cursorOf, parseCursor } from '../../protocol/cursor.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { watchChanges } from '../connect/changes.ts';
import { withReader } from '../connect/reader.ts';
import { parseDigits } from '../input/numbers.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { interruptSignal } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { formatClock } from '../output/time.ts';
import { createTimeline } from '../output/timeline.ts';
import { createFooter } from '../terminal/footer.ts';
import { followServedText, liveLine } from '../terminal/live-text.ts';
import { resolveThreadId } from '../threads/find.ts';

interface TailOptions {
  readonly count?: string;
}

const PAGE = 500;
const INITIAL_COUNT = 10;
const MAX_WRITERS = 4;

export const declare: DeclareCommand = (command) =>
  command
    .argument('[thread]', `${THREAD_HELP}; without it, all threads`)
    .option('-n, --count <n>', `start with the last N events (default: ${INITIAL_COUNT})`)
    .examples('heddle tail', 'heddle tail Garden -n 50', 'heddle tail Garden --json | jq -r .content')
    .footnote(
      'On a terminal, the last lines show what models are writing. Continues through server restarts until Ctrl-C.',
    )
    .run(tail);

/** Shows events from every process and keeps going while a server restarts. */
async function tail(cli: Cli, name: string | undefined, { count = String(INITIAL_COUNT) }: TailOptions): Promise<void> {
  const initialCount = parseDigits(count, `"-n ${count}" is not a valid number of events.`);
  const signal = interruptSignal();
  return withReader(cli, async (client) => {
    const changes = watchChanges(cli, client, signal);
    try {
      const thread = name === undefined ? undefined : await resolveThreadId(client, name);
      const timeline = await openTimeline(cli, client, thread);
      const footer = createTailFooter(cli, thread, timeline.nameOf, changes.again);
      const show = cli.out.json ? cli.out.value : timeline.show;
      const scope = thread === undefined ? client : client.thread(thread);
      let cursor = startOf(thread, (await scope.events({ after: 'head' })).head, initialCount);
      try {
        while (!signal.aborted) {
          const nextChange = changes.next();
          const page = await readNext(cli, scope, cursor);
          for (const event of page?.events ?? []) {
            footer?.clear();
            show(event);
          }
          await cli.out.drained();
          cursor = page?.cursor ?? cursor;
          if (page && page.cursor !== page.head) changes.again();
          footer?.draw();
          await nextChange;
        }
      } finally {
        footer?.close();
      }
    } finally {
      changes.close();
    }
  });
}

/** The cursor that this many events follow. */
function startOf(thread: string | undefined, head: string, count: number): string {
  const kind = thread === undefined ? 'workspace' : 'thread';
  return cursorOf(kind, Math.max(0, Number(parseCursor(kind, head)) - count));
}

/** Waits when the database is briefly unavailable. */
async function readNext({ out }: Cli, scope: Pick<Client, 'events'>, after: string) {
  try {
    return await scope.events({ after, limit: PAGE });
  } catch (error) {
    if (!(error instanceof HeddleRefusal && error.code === 'store_unavailable')) throw error;
    out.note(error.message);
    return undefined;
  }
}

interface TailTimeline {
  show(event: WireEvent): void;
  /** The thread's name, when events of several threads are mixed. */
  nameOf?(thread: string): string;
}

async function openTimeline({ out }: Cli, client: Client, thread: string | undefined): Promise<TailTimeline> {
  if (thread) return { show: createTimeline(out, { formatTime: formatClock }) };
  const titles = new Map((await client.threads.list({ archived: 'true' })).threads.map(({ id, title }) => [id, title]));
  const nameOf = (id: string) => titles.get(id) ?? id.slice(-6);
  const show = createTimeline(out, { formatTime: formatClock, threadName: nameOf });
  return {
    nameOf,
    show(event) {
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
