import type { ThreadRow } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { withReader } from '../connect/reader.ts';
import { usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';
import { createIdShortener, withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) => {
  command.examples(
    'heddle threads',
    'heddle threads new "Garden plans" --invite alpha,beta',
    'heddle threads fork Garden --at 12',
  );
  command
    .command('list', { isDefault: true })
    .description('list the threads, most recently active first')
    .option('--archived', 'list the archived threads')
    .option('--tag <tag>', 'only threads that have this tag')
    .examples('heddle threads', 'heddle threads --tag garden', 'heddle threads --archived')
    .run(list);
  command
    .command('new <title...>')
    .description('create a thread')
    .option('--invite <ids>', 'participants to invite, separated by commas')
    .examples('heddle threads new Garden', 'heddle threads new "Garden plans" --invite alpha,beta')
    .run((cli, title: string[], { invite }: { invite?: string }) => create(cli, title.join(' '), invite));
  command
    .command('fork <thread>')
    .description('create a thread that starts with the history of another')
    .option('--at <n>', 'fork after event number N (default: the newest)')
    .option('--title <title>', 'the title of the fork')
    .examples('heddle threads fork Garden', 'heddle threads fork Garden --at 12 --title "Another way"')
    .run(fork);
  command
    .command('rename <thread> <title...>')
    .description('change a thread’s title')
    .examples('heddle threads rename Garden "Winter garden"')
    .run((cli, name: string, title: string[]) => rename(cli, name, title.join(' ')));
  command
    .command('archive <thread>')
    .description('hide a thread from lists and search')
    .examples('heddle threads archive Garden')
    .run((cli, name: string) => archive(cli, name, true));
  command
    .command('unarchive <thread>')
    .description('show an archived thread again')
    .examples('heddle threads unarchive Garden')
    .run((cli, name: string) => archive(cli, name, false));
};

interface ListOptions {
  readonly tag?: string;
  readonly archived?: boolean;
}

async function list(cli: Cli, { archived, tag }: ListOptions): Promise<void> {
  const { out } = cli;
  const query = { tag, archived: archived ? ('only' as const) : undefined };
  const { threads: rows } = await withReader(cli, (client) => client.threads.list(query));
  if (out.json) return out.value({ threads: rows });
  if (rows.length === 0 && tag !== undefined) return out.note(`No thread has the tag “${oneLine(tag)}”.`);
  if (rows.length === 0 && archived) return out.note('No thread is archived.');
  if (rows.length === 0) return out.note('There are no threads yet. Create one: heddle threads new "Garden plans"');
  const shortId = createIdShortener(rows.map(({ id }) => id));
  const now = Date.now();
  const cells = rows.map((row) => [
    shortId(row.id),
    row.kind,
    `${oneLine(row.last.from)}, ${formatAgo(row.last.ts, now)}`,
    oneLine(row.title) + threadFlags(row),
  ]);
  printTable(out, cells, 3);
}

function threadFlags({ done, paused, archived, tags = [], forked_from, side_of }: ThreadRow): string {
  const words = [
    done && 'done',
    paused && 'paused',
    archived && 'archived',
    forked_from && 'fork',
    side_of && 'side channel',
  ].filter(Boolean);
  const hashtags = tags.map((tag) => ` #${oneLine(tag)}`).join('');
  return `${words.length > 0 ? ` (${words.join(', ')})` : ''}${hashtags}`;
}

async function create(cli: Cli, title: string, inviteText = ''): Promise<void> {
  const invite = parseIds(inviteText).map((id) => ({ participant_id: id }));
  const { thread } = await withClient(cli, (client) => client.threads.create({ title, invite }));
  printThread(cli, thread, 'Created');
}

async function fork(cli: Cli, name: string, { at, title }: { at?: string; title?: string }): Promise<void> {
  const seq = at === undefined ? undefined : Number(at.replace('#', ''));
  if (seq !== undefined && !(Number.isSafeInteger(seq) && seq > 0))
    throw usageError(`"--at ${at}" is not the number of an event.`);
  const { thread } = await withThread(cli, name, (parent) =>
    parent.command('fork', { seq, title: title || undefined }),
  );
  printThread(cli, thread, 'Forked as');
}

async function rename(cli: Cli, name: string, title: string): Promise<void> {
  const { thread } = await withThread(cli, name, async (target) => {
    await target.post({ type: 'control', content: { rename: { title } } });
    return target.get();
  });
  printThread(cli, thread, 'Renamed to');
}

async function archive(cli: Cli, name: string, on: boolean): Promise<void> {
  const { thread } = await withThread(cli, name, (target) => target.command('archive', { on }));
  printThread(cli, thread, on ? 'Archived' : 'Unarchived');
}

function printThread({ out }: Cli, thread: ThreadRow, verb: string): void {
  out.answer({ thread }, `${verb} “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
}
