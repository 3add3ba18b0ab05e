import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../test/support/random.ts';
import { parseLooseJson } from './json.ts';

const parseText = (text: string) => {
  const read = parseLooseJson(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.value;
};
const problemOf = (text: string) => {
  const read = parseLooseJson(text);
  return 'problem' in read ? read.problem : undefined;
};

test('[W26] the output of JSON.stringify is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      // Numbers past 2^53 are kept as they stand.
      fc.pre(!/\d{16,}/.test(text));
      expect(parseText(text)).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: fuzzRuns(300) },
  );
});

test('[W26] any text is read or refused with a message, and refused whenever JSON.parse refuses its shape', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"\\u00e9"',
    '"\\',
    '1',
    '-',
    '1e5',
    'true',
    'nul',
    ' ',
    '\n',
    '__proto__',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const parsed = parseLooseJson(text);
      let expected: unknown;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expected = undefined;
      }
      if (expected === undefined) expect('problem' in parsed && parsed.problem).toMatch(/\(line \d+\)$/);
      else expect({ value: 'value' in parsed && parsed.value }).toStrictEqual(expected);
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('[W26] long integers keep every digit', () => {
  expect(parseText('[3074457352913435888, 3074457352913435889, -12, 9007199254740991, 1.5, 1e400]')).toEqual([
    '3074457352913435888',
    '3074457352913435889',
    -12,
    9007199254740991,
    1.5,
    '1e400',
  ]);
});

test('[W26] the key __proto__ is an ordinary key', () => {
  const value = parseText('{"__proto__": {"polluted": true}, "constructor": 1}') as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('[W26] duplicate keys are reported, NaN is nothing and a byte order mark is skipped', () => {
  expect(parseLooseJson('\ufeff{"a": NaN, "b": -Infinity, "a": 2}')).toEqual({
    value: { a: 2, b: null },
    duplicateKeys: ['a'],
  });
});

test('[W26] a syntax error is reported with its line', () => {
  expect(problemOf('{"a": [1,\n2')).toBe('the file ends too early (line 2)');
  expect(problemOf('{"a": "unfinished')).toBe('the file ends inside a text (line 1)');
  expect(problemOf('[1]\n\n]')).toBe('there is more after the end of the value (line 3)');
  expect(problemOf('{"a" 1}')).toBe('"1" found where : should be (line 1)');
  expect(problemOf('{a: 1}')).toBe('"a" found where a key should be (line 1)');
  expect(problemOf('[1 2]')).toBe('"2" found where , or a closing bracket should be (line 1)');
  expect(problemOf('["\\x"]')).toBe('a text has a broken escape (line 1)');
  expect(problemOf('')).toBe('the file ends too early (line 1)');
});

test('[W27] nesting a million levels deep is read, and broken nesting is refused', () => {
  const depth = 1_000_000;
  let value = parseText(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  let levels = 0;
  while (Array.isArray(value)) {
    value = value[0] as typeof value;
    levels++;
  }
  expect(levels).toBe(depth);
  expect(problemOf('['.repeat(depth))).toBe('the file ends too early (line 1)');
});
