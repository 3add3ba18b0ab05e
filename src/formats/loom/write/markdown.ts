import { describe, oneLine, type Part, type PathText, partsOf, type Writer } from './path-text.ts';

/*
 * Footnotes mark the authors: they survive renderers that strip HTML, and can be
 * read where nothing is rendered. The text itself is left as it was written.
 */
export function writeMarkdown(path: PathText): string {
  const { parts, writers } = partsOf(path);
  const mark = unusedMark(path.text);
  const body = writers.length > 1 ? parts.map((part) => marked(part, mark)).join('') : path.text;
  const notes = writers.map((writer) => `[^${mark}${writer.number}]: ${named(writer)}`);
  const legend = writers.length > 1 ? notes : writers.map((writer) => `Written by ${named(writer)}`);
  return `# ${escapeMarkdown(path.title)}\n\n${body}\n\n---\n\n${legend.join('\n')}\n`;
}

/** At the end of the part, before the white space that follows it. */
function marked({ text, writer }: Part, mark: string): string {
  const written = text.trimEnd();
  if (written === '') return text;
  return `${written}[^${mark}${writer.number}]${text.slice(written.length)}`;
}

function named(writer: Writer): string {
  return `${escapeMarkdown(writer.label)} (${describe(writer)})`;
}

function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

function unusedMark(text: string): string {
  let mark = 'by-';
  while (text.includes(`[^${mark}`)) mark = `${mark}x-`;
  return mark;
}
