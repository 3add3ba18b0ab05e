import { FIELDS, SILENT, Unreadable } from './fields.ts';

const KEY = new RegExp(`^[ ]*(["']?)(?:${FIELDS.join('|')})\\1[ ]*:(?=\\s|$)`);
const FENCE = /^ {0,3}(`{3,}|~{3,}) ?\w*$/;
const THOUGHT_ALOUD = '</think>';

/** The part of an output that is meant for us: without what was thought aloud, said before, or fenced around it. */
export function extract(raw: string): { readonly text: string; readonly json: boolean } {
  const after = raw.lastIndexOf(THOUGHT_ALOUD);
  const text = (after >= 0 ? raw.slice(after + THOUGHT_ALOUD.length) : raw).replace(/^\ufeff/, '');
  if (text.trim() === '') throw new Unreadable('It is empty.', SILENT);
  const lines = text.split('\n');
  const first = lines.findIndex(
    (line) => KEY.test(line) || FENCE.test(line.trimEnd()) || line.trimStart().startsWith('{'),
  );
  if (first < 0) {
    throw new Unreadable(
      'It is plain text, without the marks for thoughts and draft.',
      'Write YAML with "thoughts:" and, if you want to say something, "draft:".',
    );
  }
  const opening = FENCE.exec((lines[first] as string).trimEnd())?.[1];
  const body = opening === undefined ? lines.slice(first) : within(lines.slice(first + 1), opening);
  const inner = body.join('\n');
  return { text: inner, json: inner.trimStart().startsWith('{') };
}

/** Up to the fence that closes; a fence within a block of text is indented. One that never closes goes to the end. */
function within(lines: readonly string[], opening: string): readonly string[] {
  const close = lines.findIndex((line) => line.trimEnd() === opening);
  const inside = close < 0 ? lines : lines.slice(0, close);
  const start = inside.findIndex((line) => KEY.test(line) || line.trimStart().startsWith('{'));
  if (start < 0) throw new Unreadable('There is neither "thoughts:" nor "draft:" between the fences.');
  return inside.slice(start);
}
