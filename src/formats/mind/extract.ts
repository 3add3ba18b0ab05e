import { FIELD_NAMES, SILENCE_HINT, UnreadableOutput } from './fields.ts';

const KEY = new RegExp(`^[ ]*(["']?)(?:${FIELD_NAMES.join('|')})\\1[ ]*:(?=\\s|$)`);
const FENCE = /^ {0,3}(`{3,}|~{3,}) ?\w*$/;
const THINK_END = '</think>';

const THINK_START = /^\s*<think>/;
const QUOTED_KEY = new RegExp(`["'](?:${FIELD_NAMES.join('|')})["']\\s*:`);

/** A key alone on its line, with content below it. */
const OTHER_FORM = /^[a-z_]+:[ ]*\n[ -]/;

export type ExtractedAnswer =
  | { readonly kind: 'yaml' | 'json'; readonly text: string }
  /** A plain-text reply without any of our keys (D28). */
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'nothing' };

/** Extracts the answer from an output: removes thinking, any preamble, and code fences. */
export function extractAnswer(raw: string): ExtractedAnswer {
  const thinkEnd = raw.lastIndexOf(THINK_END);
  const text = (thinkEnd >= 0 ? raw.slice(thinkEnd + THINK_END.length) : raw).replace(/^\ufeff/, '');
  if (text.trim() === '') return { kind: 'nothing' };
  if (THINK_START.test(text)) {
    throw new UnreadableOutput(
      'It is all thinking aloud, without an answer.',
      'Close it with "</think>" and write the answer.',
    );
  }
  const lines = text.split('\n');
  if (isProse(text, lines)) return { kind: 'prose', text: text.trim() };
  const firstLine = lines.findIndex(
    (line) => KEY.test(line) || FENCE.test(line.trimEnd()) || line.trimStart().startsWith('{'),
  );
  if (firstLine < 0) throw new UnreadableOutput('It has no "thoughts:" and no other key that is read.', SILENCE_HINT);
  const openingFence = FENCE.exec((lines[firstLine] as string).trimEnd())?.[1];
  const body =
    openingFence === undefined ? lines.slice(firstLine) : insideFence(lines.slice(firstLine + 1), openingFence);
  const inner = body.join('\n');
  return { kind: inner.trimStart().startsWith('{') ? 'json' : 'yaml', text: inner };
}

/** Has none of our keys and no attempt at structure either; a failed attempt is worth a retry. */
function isProse(text: string, lines: readonly string[]): boolean {
  const stripped = text.trimStart().replace(/^(`{3,}|~{3,})\w*\n\s*/, '');
  return (
    !stripped.startsWith('{') &&
    !OTHER_FORM.test(stripped) &&
    !QUOTED_KEY.test(text) &&
    !lines.some((line) => KEY.test(line))
  );
}

/** The lines up to the closing fence, or to the end if it never closes. Fences inside a text block are indented. */
function insideFence(lines: readonly string[], openingFence: string): readonly string[] {
  const closeIndex = lines.findIndex((line) => line.trimEnd() === openingFence);
  const inside = closeIndex < 0 ? lines : lines.slice(0, closeIndex);
  const start = inside.findIndex((line) => KEY.test(line) || line.trimStart().startsWith('{'));
  if (start < 0)
    throw new UnreadableOutput('There is no "thoughts:" and no other key that is read between the fences.');
  return inside.slice(start);
}
