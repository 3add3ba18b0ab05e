import {
  describeWriter,
  type PathText,
  type PathWriter,
  splitByWriter,
  toOneLine,
  type WriterPart,
} from './path-text.ts';

/*
 * Footnotes mark the authors: they survive renderers that strip HTML, and are
 * readable in the source. The text itself stays unchanged.
 */
export function writeMarkdown(path: PathText): string {
  const { parts, writers } = splitByWriter(path);
  const mark = findUnusedMark(path.text);
  const body = writers.length > 1 ? parts.map((part) => markPart(part, mark)).join('') : path.text;
  const notes = writers.map((writer) => `[^${mark}${writer.number}]: ${creditOf(writer)}`);
  const legend = writers.length > 1 ? notes : writers.map((writer) => `Written by ${creditOf(writer)}`);
  return `# ${escapeMarkdown(path.title)}\n\n${body}\n\n---\n\n${legend.join('\n')}\n`;
}

/** Puts the mark at the end of the part, before its trailing white space. */
function markPart({ text, writer }: WriterPart, mark: string): string {
  const trimmed = text.trimEnd();
  if (trimmed === '') return text;
  return `${trimmed}[^${mark}${writer.number}]${text.slice(trimmed.length)}`;
}

function creditOf(writer: PathWriter): string {
  return `${escapeMarkdown(writer.label)} (${describeWriter(writer)})`;
}

function escapeMarkdown(text: string): string {
  return toOneLine(text).replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

function findUnusedMark(text: string): string {
  let mark = 'by-';
  while (text.includes(`[^${mark}`)) mark = `${mark}x-`;
  return mark;
}
