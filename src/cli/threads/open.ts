import { withArticle } from '../../core/text/article.ts';
import type { Cli } from '../cli.ts';
import { withReader } from '../connect/reader.ts';
import { EXIT, Failure } from '../failure.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { currentThread, setCurrentThread, targetOf } from './current.ts';
import { createIdShortener, findThreadRow } from './find.ts';

/** Makes a thread the current one for later commands. */
export async function selectThread(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const expectedKind = targetOf(cli).kind;
  const { id, title, kind } = await withReader(cli, (client) => findThreadRow(client, name));
  if (kind !== expectedKind) {
    const [actual, expected] = [withArticle(kind), withArticle(expectedKind)];
    throw new Failure('wrong_kind', `"${oneLine(title)}" is ${actual}, not ${expected}.`, EXIT.refused);
  }
  setCurrentThread(cli, id);
  out.answer({ thread: { id, title, kind } }, `“${oneLine(title)}” is now the current ${kind}. ${out.colors.dim(id)}`);
}

/** Lists the threads of the program's kind, newest first. */
export async function listThreads(cli: Cli): Promise<void> {
  const { out, program } = cli;
  const { kind } = targetOf(cli);
  const { threads } = await withReader(cli, (client) => client.threads.list());
  const rows = threads.filter((row) => row.kind === kind).sort((a, b) => (a.id < b.id ? 1 : -1));
  const currentId = currentThread(cli);
  if (out.json) {
    return out.value({ [`${kind}s`]: rows.map(({ id, title }) => ({ id, title, current: id === currentId })) });
  }
  if (rows.length === 0) return out.note(`There are no ${kind}s yet. Create one: ${program.name} init "Garden plans"`);
  const shortId = createIdShortener(rows.map(({ id }) => id));
  const cells = rows.map(({ id, title }) => [id === currentId ? '→' : ' ', shortId(id), oneLine(title)]);
  printTable(out, cells);
}
