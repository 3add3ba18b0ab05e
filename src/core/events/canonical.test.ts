import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, isCanonical } from './canonical.ts';

test('[L5] keys are sorted by UTF-16 code units, whatever their order was', () => {
  const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6', 'a', 'A', ''];
  const value = Object.fromEntries(keys.map((key) => [key, 1]));
  expect(canonicalJson(value)).toBe(
    '{"":1,"\\r":1,"1":1,"A":1,"a":1,"\u0080":1,"\u00f6":1,"\u20ac":1,"\u{1f600}":1,"\ufb33":1}',
  );
});

test('[L5] numbers are written as ECMAScript prints them', () => {
  expect(canonicalJson([1e21, 1e-7, -0, 0.1 + 0.2, 4.5, 2e-3, 1e30])).toBe(
    '[1e+21,1e-7,0,0.30000000000000004,4.5,0.002,1e+30]',
  );
});

test('[L5] only what must be escaped is escaped, and members without a value are omitted', () => {
  expect(canonicalJson({ text: '\u0007"\\\n\u2028€', gone: undefined, n: null })).toBe(
    '{"n":null,"text":"\\u0007\\"\\\\\\n\u2028€"}',
  );
});

test('[L5] a value that JSON cannot represent is a programming error', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 1, 10n, [undefined]]) {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  }
});

test('[L5] parsing canonical text and writing it again changes nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('[L5] canonical text is distinguished from every other way to write the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(isCanonical(text, JSON.parse(text))).toBe(true);
    }),
  );
  expect(isCanonical('{"10":1,"9":2}', JSON.parse('{"10":1,"9":2}'))).toBe(true);
  for (const other of [
    '{"b":1,"a":2}',
    '{"9":1,"10":2}',
    '{"a":1,"a":1}',
    '{ "a":1}',
    '[1.0]',
    '["\\u0061"]',
    '[{"b":1,"a":2}]',
  ])
    expect(isCanonical(other, JSON.parse(other)), other).toBe(false);
});
