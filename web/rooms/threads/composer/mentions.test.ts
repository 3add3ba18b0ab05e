import { expect, test } from 'vitest';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { ambiguousMentions, insertMention, mentionAt, mentionOptions, resolveMention } from './mentions.ts';

type Participant = WireThreadState['participants'][number];

const people: readonly Participant[] = [
  person('ana', { kind: 'human' }),
  person('alpha', { roles: ['reviewer'], model: 'large' }),
  person('beta', { roles: ['reviewer'], nickname: 'Allie' }),
  { ...person('gamma-al', {}), invited: false },
];

function person(id: string, profile: Participant['profile']): Participant {
  return { id, invited: true, muted: null, profile };
}

test.each([
  ['Hello @al', 'al'],
  ['@', ''],
  ['(@Al', 'al'],
  ['me@al', undefined],
  ['see `@al', undefined],
  ['`code` and @al', 'al'],
  ['```\n@al', undefined],
  ['@al ', undefined],
])('[T14] in "%s" the mention being written is %j', (text, query) => {
  expect(mentionAt(text, text.length)?.query).toBe(query);
});

test('[T14] ids come first, then nicknames, then who is not invited; what is written out needs no list', () => {
  const names = (query: string) => mentionOptions(people, 'ana', query).map(({ name }) => name);
  expect(names('al')).toEqual(['alpha', 'beta', 'gamma-al', 'all']);
  expect(names('revi')).toEqual(['alpha', 'beta']);
  expect(names('alpha')).toEqual([]);
  expect(names('an')).toEqual([]);
});

test('[T14] a mention is written where it was begun', () => {
  expect(insertMention('ask @al now', { start: 4, end: 7, name: 'alpha' })).toEqual({
    text: 'ask @alpha now',
    caret: 11,
  });
});

test('[T14] a name that two go by is found, and made clear wherever it is a mention', () => {
  const text = 'Hello @Reviewer, and @reviewer; mail me@reviewer.org';
  expect(ambiguousMentions(people, text)[0]).toEqual({ name: 'reviewer', ids: ['alpha', 'beta'] });
  const clear = resolveMention(text, 'reviewer', 'alpha');
  expect(clear).toBe('Hello @alpha, and @alpha; mail me@reviewer.org');
  expect(ambiguousMentions(people, clear)).toEqual([]);
});
