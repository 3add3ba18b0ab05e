import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';
import { languageOf } from './highlight-languages.ts';

test('[I20] code is coloured by roles, and no character is lost', async () => {
  const code = 'const a = "x"; // note\nexport function b() {}';
  const lines = (await highlight(code, 'ts')) ?? [];
  expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(code);
  const roleOf = (word: string) => lines.flat().find(({ text }) => text.includes(word))?.role;
  expect([roleOf('const'), roleOf('"x'), roleOf('note'), roleOf('b')]).toEqual(['key', 'string', 'note', 'name']);
});

test('[I20] a language nobody knows, and a very long text, are left without colours', async () => {
  expect(await highlight('a', 'nonsense')).toBeUndefined();
  expect(await highlight('a', 'constructor')).toBeUndefined();
  expect(await highlight('let a;\n'.repeat(20_000), 'ts')).toBeUndefined();
});

test.each([
  ['ts', 'typescript'],
  ['Python', 'python'],
  ['js title=x', 'javascript'],
  ['c++', 'cpp'],
])('[I20] %j after a fence is %s', (written, name) => {
  expect(languageOf(written)?.name).toBe(name);
});

test('[I20] a hostile line of code does not hold the page up', async () => {
  const start = performance.now();
  await highlight(`${'`${'.repeat(400)}\n${'/*'.repeat(900)}\n${'"\\'.repeat(900)}`, 'ts');
  expect(performance.now() - start).toBeLessThan(5_000);
});
