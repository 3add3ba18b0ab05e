import { expect, test } from 'vitest';
import { payloads } from '../../../test/support/texts/payloads.ts';
import { type Block, parseBlocks } from './blocks.ts';
import { createSplitter } from './growing-text.ts';

const SAMPLE = [
  '# Frost',
  'Words *with* `code`\nand a second line.',
  '- one\n- two\n\n  still two\n\n- three',
  '1. a\n2. b',
  '- [x] done\n- [ ] not',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```\nright below',
  '~~~\nopen\n\n~~~',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> quoted\n> more\nlazy\n\nbehind',
  '$$\nx^2\n\ny\n$$',
  '$$ not maths, a price',
  '\\[ a + b \\]',
  'Title\n=====\n\nTitle\n-----',
  '***',
  'line\r\nwindows\r\n\r\nagain\rold',
  '\n\n\n',
  '    indented\ttab',
].join('\n\n');

/** What is drawn of a text that grows by so many characters at a time, after each step. */
function steps(text: string, size: number): { blocks: readonly Block[]; whole: readonly Block[] }[] {
  const split = createSplitter();
  const all = [];
  for (let end = size; end < text.length + size; end += size) {
    const shown = text.slice(0, end);
    all.push({ blocks: split(shown).flatMap((part) => parseBlocks(part)), whole: parseBlocks(shown) });
  }
  return all;
}

test('[M12] [I20] a text that grows is drawn at each step as if it were whole', () => {
  for (const size of [1, 7, 40]) for (const { blocks, whole } of steps(SAMPLE, size)) expect(blocks).toEqual(whole);
  for (const text of payloads)
    for (const { blocks, whole } of steps(`${text}\n\n${text}`, 5)) expect(blocks).toEqual(whole);
});

test('[M12] what is settled stays the same, and the part that is read again stays short', () => {
  const split = createSplitter();
  const paragraphs = Array.from({ length: 300 }, (_, i) => `Paragraph ${i} has *ten* words, and all of them stay.`);
  const text = paragraphs.join('\n\n');
  let before: readonly string[] = [];
  let longest = 0;
  for (let end = 5; end < text.length; end += 5) {
    const parts = split(text.slice(0, end));
    expect(before.slice(0, -1).every((part, at) => part === parts[at])).toBe(true);
    longest = Math.max(longest, parts.at(-1)?.length ?? 0);
    before = parts;
  }
  expect(before.length).toBeGreaterThan(250);
  expect(longest).toBeLessThan(200);
});

test('[M12] a text that begins anew is drawn anew', () => {
  const split = createSplitter();
  split('One.\n\nTwo.\n\nThree.\n');
  expect(split('Other').join('')).toBe('Other');
});
