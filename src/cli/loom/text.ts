import type { Cli } from '../cli.ts';
import { printTable } from '../output/table.ts';
import { oneLine, sanitize } from '../output/text.ts';
import { authorsOf } from './authors.ts';
import { withLoom } from './find.ts';
import { readWholePath } from './path.ts';

const EXCERPT_CHARS = 60;

/** Prints the path as one text: with authors on a terminal, otherwise exactly as stored. */
export async function showText(cli: Cli, name: string, { authors = false }: { authors?: boolean }): Promise<void> {
  const { out } = cli;
  const { id, text, spans } = await readAuthorship(cli, name);
  if (out.json) return out.value({ id, text, spans });
  if (!process.stdout.isTTY && !authors) {
    process.stdout.write(text);
    return out.drained();
  }
  const { all, of } = authorsOf(spans, out);
  let paintedText = '';
  for (const span of spans) {
    const { paint, sign } = of(span);
    paintedText += paintLines(sanitize(text.slice(span.start, span.end)), paint) + out.colors.dim(sign);
  }
  out.line(paintedText);
  out.line();
  for (const { id: author, kind, sign, characters, paint } of all) {
    out.line(
      `${out.colors.dim(sign || ' ')} ${paint(oneLine(author))} ${out.colors.dim(`${kind}, ${characters} characters`)}`,
    );
  }
}

/** Ends the colour at each line break, so that nothing is painted past the text. */
function paintLines(text: string, paint: (text: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n');
}

export async function showAuthorship(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const { text, spans } = await readAuthorship(cli, name);
  if (out.json) return out.value({ spans });
  if (spans.length === 0) return out.note('This loom has no text yet.');
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
    oneLine(text.slice(start, Math.min(end, start + EXCERPT_CHARS))),
  ]);
  printTable(out, rows, 3);
}

function readAuthorship(cli: Cli, name: string) {
  return withLoom(cli, name, async (loom) => {
    const { spans } = await loom.loom.authorship();
    const { text } = await readWholePath(loom);
    return { id: loom.id, text, spans };
  });
}
