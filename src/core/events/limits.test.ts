import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';
import type { Json } from './event.ts';
import { checkSize, checkText, MAX_CONTENT_BYTES } from './limits.ts';

test('[L15] NUL and lone surrogates are refused anywhere, with the field named', () => {
  expect(checkText({ a: ['x', { b: 'nul \0' }] })?.refusal).toMatchObject({ code: 'unacceptable_text' });
  expect(checkText({ a: ['x', { b: 'nul \0' }] })?.refusal.message).toContain('content.a.1.b contains a NUL');
  expect(checkText('half \ud83d of a face')?.refusal.message).toContain('half of a surrogate pair');
  expect(checkText({ 'key\udc00': 1 })?.refusal.message).toContain('key');
  expect(checkText({ fine: 'a whole 😀, עברית, \u2028 and a tab\t' })).toBeUndefined();
});

test('[L15] content nested too deeply is refused', () => {
  let deep: Json = 'x';
  for (let i = 0; i < 64; i++) deep = [deep];
  expect(checkText(deep)).toBeUndefined();
  expect(checkText([deep])?.refusal.message).toContain('64 levels');
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(checkText(deep)?.refusal.code).toBe('unacceptable_text');
});

test('[L15] content is measured in bytes', () => {
  const checkContent = (text: string) => checkSize(canonicalJson({ content: text }), text)?.refusal;
  expect(checkContent('x'.repeat(MAX_CONTENT_BYTES - 2))).toBeUndefined();
  expect(checkContent('x'.repeat(MAX_CONTENT_BYTES - 1))).toMatchObject({
    code: 'too_large',
    limit: MAX_CONTENT_BYTES,
  });
  expect(checkContent('é'.repeat((MAX_CONTENT_BYTES - 2) / 2))).toBeUndefined();
  expect(checkContent('é'.repeat(MAX_CONTENT_BYTES / 2))).toMatchObject({ code: 'too_large' });
  expect(checkContent('😀'.repeat((MAX_CONTENT_BYTES - 4) / 4))).toBeUndefined();
  expect(checkContent('😀'.repeat(MAX_CONTENT_BYTES / 4))).toMatchObject({ code: 'too_large' });
});

test('[L15] any JSON made of whole characters is accepted', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), (value) => {
      const hasNul = JSON.stringify(value).includes('\\u0000');
      expect(checkText(value as Json) === undefined).toBe(!hasNul);
    }),
  );
});
