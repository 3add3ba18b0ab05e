import { type PathText, splitByWriter, toOneLine } from './path-text.ts';

/** The text and nothing else: byte for byte what the buffer shows. */
export function writeText({ text }: PathText): string {
  return text;
}

/** The unchanged text, then a table of authors by offset. */
export function writeTextWithAuthors(path: PathText): string {
  const { parts } = splitByWriter(path);
  const rows = parts.map(({ start, end, writer }) => `${start}-${end}\t${writer.kind}\t${toOneLine(writer.label)}`);
  const gap = path.text.endsWith('\n') ? '' : '\n';
  return `${path.text}${gap}\n---\nAuthors, by characters (UTF-16 units, ends excluded):\n${rows.join('\n')}\n`;
}
