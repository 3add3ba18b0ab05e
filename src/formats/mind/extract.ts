import { FIELDS, SILENT, Unreadable } from './fields.ts';

const KEY = new RegExp(`^[ ]*(["']?)(?:${FIELDS.join('|')})\\1[ ]*:(?=\\s|$)`);
const FENCE = /^ {0,3}(`{3,}|~{3,}) ?\w*$/;
const THOUGHT_ALOUD = '</think>';

const BEGUN_ALOUD = /^\s*<think>/;
const QUOTED_KEY = new RegExp(`["'](?:${FIELDS.join('|')})["']\\s*:`);

/** A key by itself, and something under it. */
const OTHER_FORM = /^[a-z_]+:[ ]*\n[ -]/;

export type Extract =
  | { readonly kind: 'yaml' | 'json'; readonly text: string }
  /** A reply as it stands, without any of our keys (D28). */
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'nothing' };

/** The part of an output that is meant for us: without what was thought aloud, said before, or fenced around it. */
export function extract(raw: string): Extract {
  const after = raw.lastIndexOf(THOUGHT_ALOUD);
  const text = (after >= 0 ? raw.slice(after + THOUGHT_ALOUD.length) : raw).replace(/^\ufeff/, '');
  if (text.trim() === '') return { kind: 'nothing' };
  if (BEGUN_ALOUD.test(text)) {
    throw new Unreadable(
      'It is all thinking aloud, without an answer.',
      'Close it with "</think>" and write the answer.',
    );
  }
  const lines = text.split('\n');
  if (isProse(text, lines)) return { kind: 'prose', text: text.trim() };
  const first = lines.findIndex(
    (line) => KEY.test(line) || FENCE.test(line.trimEnd()) || line.trimStart().startsWith('{'),
  );
  if (first < 0) throw new Unreadable('It has no "thoughts:" and no other key that is read.', SILENT);
  const opening = FENCE.exec((lines[first] as string).trimEnd())?.[1];
  const body = opening === undefined ? lines.slice(first) : within(lines.slice(first + 1), opening);
  const inner = body.join('\n');
  return { kind: inner.trimStart().startsWith('{') ? 'json' : 'yaml', text: inner };
}

/** No key of ours anywhere, and no attempt at a form either: such an attempt is worth asking for again. */
function isProse(text: string, lines: readonly string[]): boolean {
  const bare = text.trimStart().replace(/^(`{3,}|~{3,})\w*\n\s*/, '');
  return (
    !bare.startsWith('{') && !OTHER_FORM.test(bare) && !QUOTED_KEY.test(text) && !lines.some((line) => KEY.test(line))
  );
}

/** Up to the fence that closes; a fence within a block of text is indented. One that never closes goes to the end. */
function within(lines: readonly string[], opening: string): readonly string[] {
  const close = lines.findIndex((line) => line.trimEnd() === opening);
  const inside = close < 0 ? lines : lines.slice(0, close);
  const start = inside.findIndex((line) => KEY.test(line) || line.trimStart().startsWith('{'));
  if (start < 0) throw new Unreadable('There is no "thoughts:" and no other key that is read between the fences.');
  return inside.slice(start);
}
