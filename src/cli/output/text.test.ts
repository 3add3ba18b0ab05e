import fc from 'fast-check';
import { expect, test } from 'vitest';
import { supportsColor } from './output.ts';
import { escapeJson, oneLine, sanitize, shorten, shortenStart, widthOf, wrap } from './text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('[I3] control characters, escape sequences and changes of direction become visible', () => {
  expect(sanitize('a\u001b[2Jb\u0007c\u009dd\u202ee\r\nf\tg')).toBe('a␛[2Jb␇c<U+009D>d<U+202E>e\nf    g');
  expect(oneLine(' a\n\n  b\u2028c ')).toBe('a b c');
  expect(sanitize('Grüße, мир, 日本, 👩‍👩‍👧')).toBe('Grüße, мир, 日本, 👩‍👩‍👧');
});

test('[I3] whatever the text, nothing of it can command a terminal, and JSON stays the same JSON', () => {
  const seed = Date.now();
  const run = (text: string) => {
    expect(sanitize(text)).not.toMatch(DANGEROUS);
    const json = escapeJson(JSON.stringify({ text }));
    expect(json).not.toMatch(DANGEROUS);
    expect(JSON.parse(json)).toEqual({ text });
  };
  fc.assert(fc.property(fc.string({ unit: 'binary' }), run), { seed });
});

test('[I3] text is wrapped by the columns it takes', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('a\n\nb', 20)).toEqual(['a', '', 'b']);
  expect(wrap('日本語日本語', 8)).toEqual(['日本語日', '本語']);
  expect(wrap('x'.repeat(20), 8)).toEqual(['xxxxxxxx', 'xxxxxxxx', 'xxxx']);
  expect(widthOf('👩‍👩‍👧é')).toBe(3);
  expect(shorten('日本語', 4)).toBe('日…');
});

test('[I3] no line is wider than asked for and no word is lost', () => {
  const seed = Date.now();
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { maxLength: 20 });
  const run = (given: string[], width: number) => {
    const text = sanitize(given.join(' '));
    const lines = wrap(text, width);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  };
  fc.assert(fc.property(words, fc.integer({ min: 8, max: 100 }), run), { seed });
});

test('[I3] colour only on a terminal, and not where NO_COLOR says so', () => {
  expect(supportsColor({ isTTY: true }, { TERM: 'xterm' })).toBe(true);
  expect(supportsColor({}, { TERM: 'xterm', FORCE_COLOR: '1', CI: '1' })).toBe(false);
  expect(supportsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(supportsColor({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
});

test.each([-1, 0, 1, 2, 7, 24])('[I3] the end of a text fits into %d columns, whatever it is made of', (width) => {
  for (const text of [
    'plain words at the end',
    '漢字かな交じり文',
    '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧',
    'a\u200db\u200dc'.repeat(20),
    '',
  ]) {
    expect(widthOf(shortenStart(text, width))).toBeLessThanOrEqual(Math.max(0, width));
  }
  expect(shortenStart('short', 24)).toBe('short');
  expect(shortenStart('plain words at the end', 7)).toBe('…he end');
});

test('[I3] letters with joiners between them take their place: a model cannot write past the edge', () => {
  expect(widthOf('a\u200db\u200dc')).toBe(3);
  expect(widthOf(shorten('x\u200d'.repeat(200), 80))).toBeLessThanOrEqual(80);
  expect(Array.from(shorten('x\u200d'.repeat(200), 80)).filter((unit) => unit === 'x').length).toBeLessThan(80);
  expect(widthOf('👩‍👩‍👧')).toBe(2);
});
