import type { ThreadRow } from '../../client/index.ts';
import type { EventLog } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient, withLog } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { idsIn } from '../input/ids.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { ago } from '../output/time.ts';
import { shortIds, threadOfClient, threadsOfLog } from '../threads/find.ts';

export const declare: Declare = (command, start) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        'heddle threads',
        'heddle threads new "Garden plans" --invite alpha,beta',
        'heddle threads fork Garden --at 12',
      ),
    );
  command
    .command('list', { isDefault: true })
    .description('list the threads, the most recently active first')
    .action(() => list(start()));
  command
    .command('new <title...>')
    .description('begin a thread')
    .option('--invite <ids>', 'participants to invite, separated by commas')
    .addHelpText(
      'after',
      examples('heddle threads new Garden', 'heddle threads new "Garden plans" --invite alpha,beta'),
    )
    .action((title: string[], { invite }: { invite?: string }) => create(start(), title.join(' '), invite));
  command
    .command('fork <thread>')
    .description('begin a thread as the past of another')
    .option('--at <n>', 'fork after event number N (default: the newest)')
    .option('--title <title>', 'the title of the fork')
    .addHelpText(
      'after',
      examples('heddle threads fork Garden', 'heddle threads fork Garden --at 12 --title "Another way"'),
    )
    .action((name: string, options: { at?: string; title?: string }) => fork(start(), name, options));
  command
    .command('rename <thread> <title...>')
    .description('give a thread another title')
    .addHelpText('after', examples('heddle threads rename Garden "Winter garden"'))
    .action((name: string, title: string[]) => rename(start(), name, title.join(' ')));
};

async function list(cli: Cli): Promise<void> {
  const { out } = cli;
  const rows = await withLog(cli, rowsOf);
  if (out.json) return out.value({ threads: rows });
  if (rows.length === 0) return out.note('There are no threads yet. Begin one: heddle threads new "Garden plans"');
  const short = shortIds(rows);
  const now = Date.now();
  const cells = rows.map((row) => [
    short(row.id),
    row.kind,
    `${oneLine(row.last.from)}, ${ago(row.last.ts, now)}`,
    oneLine(row.title) + marks(row),
  ]);
  const paint = (cell: string, column: number) => (column === 3 ? cell : out.colors.dim(cell));
  for (const line of table(cells, out.width, paint)) out.line(line);
}

async function rowsOf(log: EventLog): Promise<readonly ThreadRow[]> {
  const rows: (ThreadRow & { position: number })[] = [];
  for (const thread of await threadsOfLog(log)) {
    const last = await log.lastOf(thread.id);
    if (!last) continue;
    const { ts, from } = JSON.parse(last.body);
    rows.push({
      ...thread,
      last: { ts, from, cursor: cursorOf('thread', last.seq) },
      position: last.position,
    } as never);
  }
  return rows.sort((a, b) => b.position - a.position).map(({ position: _, ...row }) => row);
}

function marks({ done, paused, forked_from, side_of }: ThreadRow): string {
  const words = [done && 'done', paused && 'paused', forked_from && 'fork', side_of && 'side channel'].filter(Boolean);
  return words.length > 0 ? ` (${words.join(', ')})` : '';
}

async function create(cli: Cli, title: string, invited = ''): Promise<void> {
  const invite = idsIn(invited).map((id) => ({ participant_id: id }));
  const { thread } = await withClient(cli, (client) => client.threads.create({ title, invite }));
  told(cli, thread, 'Began');
}

async function fork(cli: Cli, name: string, { at, title }: { at?: string; title?: string }): Promise<void> {
  const seq = at === undefined ? undefined : Number(at.replace('#', ''));
  if (seq !== undefined && !(Number.isSafeInteger(seq) && seq > 0))
    throw usage(`"--at ${at}" is not the number of an event.`);
  const { thread } = await withClient(cli, async (client) => {
    const parent = client.thread(await threadOfClient(client, name));
    return parent.command('fork', { ...(seq && { seq }), ...(title && { title }) });
  });
  told(cli, thread, 'Forked as');
}

async function rename(cli: Cli, name: string, title: string): Promise<void> {
  const { thread } = await withClient(cli, async (client) => {
    const renamed = client.thread(await threadOfClient(client, name));
    await renamed.post({ type: 'control', content: { rename: { title } } });
    return renamed.get();
  });
  told(cli, thread, 'Renamed to');
}

function told({ out }: Cli, thread: ThreadRow, did: string): void {
  if (out.json) out.value({ thread });
  else out.line(`${did} “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
}
