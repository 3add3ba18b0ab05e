import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alpha, created, given, human } from '../../../test/support/domain/given.ts';
import { ThreadTagged } from './events.ts';
import { normalizeTag } from './tags.ts';

test('[T33] a tag is the same in any case, with or without a hash, and with any blanks', () => {
  for (const text of ['Winter Garden', '#winter  garden', ' WINTER\u00a0GARDEN '])
    expect(normalizeTag(text)).toBe('winter garden');
  expect(normalizeTag('E\u0301te')).toBe('\u00e9te');
  expect(normalizeTag('👩‍🌾 farm')).toBe('👩‍🌾 farm');
});

test.each([
  '',
  '#',
  '-old',
  'a,b',
  'a:b',
  'a"b',
  'a\u202eb',
  'a\u0000b',
  'so\u200dil',
  '<b>',
  'x'.repeat(33),
  ' '.repeat(10_000),
])('[T33] %j is not a tag', (text) => expect(normalizeTag(text)).toBeUndefined());

test('[T33] whatever text becomes a tag stays that tag', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const tag = normalizeTag(text);
      if (tag !== undefined) expect(normalizeTag(tag)).toBe(tag);
    }),
  );
});

test('[T33] tags are added and taken away, and what is said twice changes nothing', () => {
  const thread = given(created);
  const tag = (input: object) => thread.when(human, 'tag', { thread: 't1', ...input });
  expect(tag({ add: ['Soil', 'winter'] })).toMatchObject([
    { type: 'thread.tagged', content: { tags: ['soil', 'winter'] } },
  ]);
  expect(tag({ add: ['#SOIL'], remove: ['spring'] })).toEqual([]);
  expect(tag({ add: ['spring'], remove: ['winter'] })).toMatchObject([{ content: { tags: ['soil', 'spring'] } }]);
  expect(thread.when(alpha, 'tag', { thread: 't1', add: ['mine'] })).toMatchObject({ code: 'forbidden' });
  expect(tag({ add: Array.from({ length: 15 }, (_, i) => `t${i}`) })).toMatchObject({ code: 'malformed' });
  expect(thread.state().tags).toEqual(['soil', 'spring']);
});

test.each([['Soil'], ['a', 'a'], Array.from({ length: 17 }, (_, i) => `t${i}`), [1], ['a\nb']])(
  '[T33] [L25] an imported event with the tags %j is refused',
  (...tags) => expect(ThreadTagged.schema.safeParse({ tags }).success).toBe(false),
);
