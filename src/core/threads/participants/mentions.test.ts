import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import { mentionsIn } from './mentions.ts';

const invite = (id: string, profile: object = {}) =>
  controls(human, { invite: { participant_id: id, profile: { kind: 'agent', ...profile } } });

function thread() {
  return given(
    created,
    invite('alpha', { nickname: 'Anna', roles: ['critic'] }),
    invite('beta', { nickname: 'Beta Two', roles: ['writer'], model: 'small-15m' }),
    invite('gamma', { roles: ['writer'], client: 'claude' }),
    invite('anna.b'),
  );
}

const ids = (text: string) => mentionsIn(thread().state(), text).ids;

test('[T14] a mention matches an id, then a nickname, then a role, client or model, in any case', () => {
  expect(ids('@alpha look')).toEqual(['alpha']);
  expect(ids('hello @ANNA, and @Beta Two!')).toEqual(['alpha', 'beta']);
  expect(ids('(@critic) @claude: @small-15m.')).toEqual(['alpha', 'gamma', 'beta']);
  expect(ids('@anna.b.')).toEqual(['anna.b']);
});

test('[T14] punctuation after a name is not part of it, and a longer word is another name', () => {
  expect(ids('@alpha, @alpha! @alpha… "@alpha"')).toEqual(['alpha']);
  expect(ids('@alphabet @annabel @nobody')).toEqual([]);
});

test('[T14] code and email addresses mention nobody', () => {
  expect(ids('run `@alpha` and\n```\n@beta\n```\n~~~\n@gamma\n~~~')).toEqual([]);
  expect(ids('``a ` @alpha`` write to me@alpha or x.@alpha')).toEqual([]);
  expect(ids('```\nunclosed @alpha')).toEqual([]);
});

test('[T14] a name that two participants share is refused with a question, and nothing is posted', () => {
  const refused = thread().when(...says(human, 'what do you say, @writer?'));
  expect(refused).toMatchObject({ code: 'ambiguous_mention', mention: 'writer', candidates: ['beta', 'gamma'] });
  expect((refused as { message: string }).message).toContain('@beta or @gamma');
});

test('[T14] @all from a human reaches every invited agent, from an agent nobody, and nobody can mention themselves', () => {
  const first = thread();
  first.when(...says(human, 'everyone: @all'));
  expect(Object.keys(first.state().routing.wakes).sort()).toEqual(['alpha', 'anna.b', 'beta', 'gamma']);
  const second = thread();
  second.when(...controls(human, { discussion: { on: true } }));
  second.when(...says(alpha, '@all and @alpha'));
  expect(second.state().routing.last?.decisions.map(({ code }) => code)).toEqual([
    'not_addressed',
    'not_addressed',
    'not_addressed',
  ]);
});

test('[T14] [T23] only the first 256 mentions of a text count', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `p${i}`);
  const participants = Object.fromEntries(ids.map((id) => [id, { invited: true, profile: {} }]));
  const text = ids.map((id) => `@${id}!`).join(' ');
  expect(mentionsIn({ participants }, text).ids).toEqual(ids.slice(0, 256));
});

test('[T14] of two ids that differ only in case, the exact spelling wins', () => {
  const ben = { id: 'ben', kind: 'human' } as const;
  const world = given(created, invite('BEN'), says(ben, 'I am a person, and never kept out.'));
  expect(mentionsIn(world.state(), '@ben, look').ids).toEqual(['ben']);
  expect(mentionsIn(world.state(), '@BEN, look').ids).toEqual(['BEN']);
  expect(mentionsIn(world.state(), '@Ben, look').ambiguous).toEqual([{ name: 'ben', ids: ['BEN', 'ben'] }]);
});
