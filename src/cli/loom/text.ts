import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { table } from '../output/table.ts';
import { oneLine, visible } from '../output/text.ts';
import { type AuthorSpan, authorsOf } from './authors.ts';
import { loomOf } from './find.ts';
import { wholePath } from './path.ts';

const EXCERPT = 60;

/** The path as one text. To a terminal with its authors; elsewhere to the last character as it is. */
export async function showText(cli: Cli, name: string, { authors = false }: { authors?: boolean }): Promise<void> {
  const { out } = cli;
  const { id, text, spans } = await read(cli, name);
  if (out.json) return out.value({ id, text, spans });
  if (!process.stdout.isTTY && !authors) {
    process.stdout.write(text);
    return out.drained();
  }
  const { all, of } = authorsOf(spans, out);
  let shown = '';
  for (const span of spans) {
    const { paint, sign } = of(span);
    shown += paintLines(visible(text.slice(span.start, span.end)), paint) + out.colors.dim(sign);
  }
  out.line(shown);
  out.line();
  for (const { id: author, kind, sign, characters, paint } of all) {
    out.line(
      `${out.colors.dim(sign || ' ')} ${paint(oneLine(author))} ${out.colors.dim(`${kind}, ${characters} characters`)}`,
    );
  }
}

/** Colours end with the line, so that nothing is painted beyond the text. */
function paintLines(text: string, paint: (text: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n');
}

export async function showAuthorship(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const { text, spans } = await read(cli, name);
  if (out.json) return out.value({ spans });
  if (spans.length === 0) return out.note('Nothing is written here yet.');
  const { all } = authorsOf(spans, out);
  for (const { id, kind, characters } of all) {
    const share = Math.round((characters / text.length) * 100);
    out.line(`${oneLine(id)} (${kind}): ${characters} characters, ${share} %`);
  }
  out.line();
  const rows = spans.map(({ start, end, author, kind }) => [
    `${start}–${end}`,
    oneLine(author),
    kind,
    oneLine(text.slice(start, Math.min(end, start + EXCERPT))),
  ]);
  const paint = (cell: string, column: number) => (column === 3 ? cell : out.colors.dim(cell));
  for (const line of table(rows, out.width, paint)) out.line(line);
}

async function read(cli: Cli, name: string): Promise<{ id: string; text: string; spans: readonly AuthorSpan[] }> {
  return withClient(cli, async (client: Client) => {
    const loom = await loomOf(client, name);
    const { spans } = await loom.loom.authorship();
    const { text } = await wholePath(loom);
    return { id: loom.id, text, spans };
  });
}
