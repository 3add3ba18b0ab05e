import type { Cli } from '../../cli.ts';
import { withLog } from '../../connect.ts';
import { type Declare, examples } from '../../declare.ts';
import { EXIT, Failure } from '../../failure.ts';
import { shortIds, threadOfLog, threadsOfLog } from '../../find-thread.ts';
import { table } from '../../table.ts';
import { oneLine } from '../../text.ts';
import { current, makeCurrent } from '../current.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[dialogue]', 'its id, the beginning or end of it, or its exact title; without it, all are listed')
    .addHelpText('after', examples('mind open', 'mind open "Garden plans"', 'mind open 7QK2ZC'))
    .action((name: string | undefined) => (name === undefined ? list(start()) : open(start(), name)));

async function open(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const { id, title, kind } = await withLog(cli, (log) => threadOfLog(log, name));
  if (kind !== 'dialogue') {
    throw new Failure('wrong_kind', `"${oneLine(title)}" is a ${kind}, not a dialogue.`, EXIT.refused);
  }
  makeCurrent(cli, id);
  if (out.json) return out.value({ thread: { id, title, kind } });
  out.line(`“${oneLine(title)}” is the current dialogue now. ${out.colors.dim(id)}`);
}

async function list(cli: Cli): Promise<void> {
  const { out } = cli;
  const threads = await withLog(cli, threadsOfLog);
  const rows = threads.filter(({ kind }) => kind === 'dialogue').sort((a, b) => (a.id < b.id ? 1 : -1));
  const chosen = current(cli);
  if (out.json) {
    return out.value({ dialogues: rows.map(({ id, title }) => ({ id, title, current: id === chosen })) });
  }
  if (rows.length === 0) return out.note('There are no dialogues yet. Begin one: mind init "Garden plans"');
  const short = shortIds(rows);
  const cells = rows.map(({ id, title }) => [id === chosen ? '→' : ' ', short(id), oneLine(title)]);
  for (const line of table(cells, out.width)) out.line(line);
}
