import { withArticle } from '../../core/text/article.ts';
import type { Cli } from '../cli.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { current, kindOf, makeCurrent } from './current.ts';
import { shortIds, threadOfLog, threadsOfLog } from './find.ts';

/** Makes a thread the one that later commands act on. */
export async function openThread(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const wanted = kindOf(cli).kind;
  const { id, title, kind } = await withLog(cli, (log) => threadOfLog(log, name));
  if (kind !== wanted) {
    const [is, not] = [withArticle(kind), withArticle(wanted)];
    throw new Failure('wrong_kind', `"${oneLine(title)}" is ${is}, not ${not}.`, EXIT.refused);
  }
  makeCurrent(cli, id);
  if (out.json) return out.value({ thread: { id, title, kind } });
  out.line(`“${oneLine(title)}” is the current ${kind} now. ${out.colors.dim(id)}`);
}

/** Those there are of the program's kind, the newest first. */
export async function listThreads(cli: Cli): Promise<void> {
  const { out, program } = cli;
  const { kind } = kindOf(cli);
  const threads = await withLog(cli, threadsOfLog);
  const rows = threads.filter((row) => row.kind === kind).sort((a, b) => (a.id < b.id ? 1 : -1));
  const chosen = current(cli);
  if (out.json) {
    return out.value({ [`${kind}s`]: rows.map(({ id, title }) => ({ id, title, current: id === chosen })) });
  }
  if (rows.length === 0) return out.note(`There are no ${kind}s yet. Begin one: ${program.name} init "Garden plans"`);
  const short = shortIds(rows);
  const cells = rows.map(({ id, title }) => [id === chosen ? '→' : ' ', short(id), oneLine(title)]);
  for (const line of table(cells, out.width)) out.line(line);
}
