import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costOf, growthOf } from '../test/support/growth.ts';
import { hostileTexts } from '../test/support/texts/hostile-texts.ts';
import { costsOf, type Expression } from './expression-cost.ts';
import { expressionsIn, inspect, readSources } from './expressions.ts';

const SMALL = 1024;
const LARGE = 16 * SMALL;

/** Whether some hostile text stalls it; only what takes far longer than reading the text is measured closely. */
function isSlow(expression: Expression): boolean {
  const pattern = new RegExp(expression.source, expression.flags);
  return hostileTexts(expression).some((text) => {
    const run = (size: number) => {
      const input = text(size);
      return () => void input.replace(pattern, '');
    };
    if (costOf(run(LARGE), 0.05) < 20 * costOf(readOf(text(LARGE)), 0.05)) return false;
    return growthOf(run, SMALL, LARGE / SMALL) > 1.5;
  });
}

function readOf(text: string): () => void {
  return () => {
    let sum = 0;
    for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
    if (sum === 0.5) throw new Error('never');
  };
}

const SLOW = [
  /[.\s]+$/,
  /\s*\n\s*/g,
  /session.*not found/i,
  /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ/g,
  /^\s*# +(\S.*)$/m,
  /\B(?=(\d{3})+$)/g,
  /^(?:\w+,?)*=$/,
  /"(?:[^"\\]|\\.)*"/,
];

test.each(SLOW.map((each) => [each]))('[T23] %s is refused by the check', (each) => {
  expect(costsOf(each)).not.toEqual([]);
  expect(inspect(new Map([['src/core/a.ts', `export const A = ${each};`]]))).toHaveLength(costsOf(each).length);
});

test.each([
  [/\s\S*$/u],
  [/^[\s.]+/],
  [/[^a-z0-9]+/g],
  [/(?<!\d)\d+x/],
  [/\bab?\w+;/],
  [/"type":"([a-z0-9_.]+)","v":\d+\}$/],
  [/(^|\s)(kind|from):(?:"([^"]*)"|(\S+))(?=\s|$)/gi],
  [/\.(\s.*)?$/s],
  [/a+b/y],
])('[T23] %s is let through', (each) => {
  expect(costsOf(each)).toEqual([]);
  expect(isSlow(each)).toBe(false);
});

test('[T23] an expression that is built at run time has to be named', () => {
  const source = "export const a = (word: string) => [new RegExp(word), RegExp(word, 'g')];";
  expect(inspect(new Map([['src/core/a.ts', source]]))).toEqual([
    expect.stringContaining('src/core/a.ts:1 builds an expression'),
    expect.stringContaining('src/core/a.ts:1 builds an expression'),
  ]);
});

test.each([[/[.\s]+$/], [/session.*not found/i], [/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g]])(
  '[T23] a hostile text shows that %s is quadratic',
  (each) => {
    expect(isSlow(each)).toBe(true);
  },
);

test('[T23] every expression in the program takes time in proportion to its text', () => {
  const all = expressionsIn(readSources(join(import.meta.dirname, '..')));
  const different = new Map(all.map((each) => [`/${each.source}/${each.flags}`, each]));
  expect(different.size).toBeGreaterThan(150);
  const slow = [...different].filter(([, each]) => isSlow(each)).map(([name, { file }]) => `${file} ${name}`);
  expect(slow).toEqual([]);
});
