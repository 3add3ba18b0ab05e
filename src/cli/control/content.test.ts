import { expect, test } from 'vitest';
import { control, controlShapes } from '../../core/threads/schema.ts';
import { buildControlContent, controlNames } from './content.ts';

const said: Record<string, [string[], unknown]> = {
  mute: [['alpha', 'beta'], { targets: ['alpha', 'beta'], mode: 'hard' }],
  unmute: [['@alpha,beta'], { targets: ['alpha', 'beta'] }],
  pause: [['on'], { on: true }],
  prod: [['alpha'], ['alpha']],
  done: [[], true],
  ttl_seconds: [['600'], 600],
  discussion: [['on', 'allow_agent_mentions=false'], { on: true, allow_agent_mentions: false }],
  invited_auto: [['off'], { on: false }],
  invite: [
    ['alpha', 'roles=a,b', 'nickname=Al'],
    { participant_id: 'alpha', profile: { roles: ['a', 'b'], nickname: 'Al' } },
  ],
  uninvite: [['alpha'], { participant_id: 'alpha' }],
  profile: [['posting=draft'], { posting: 'draft' }],
  policy: [['large', 'hops=3'], { mode: 'large', hops: 3 }],
  continue: [[], true],
  presence_log: [['on'], { on: true }],
  budget: [['tokens=1000', 'money=2.5'], { tokens: 1000, money: 2.5 }],
  rename: [['New', 'title'], { title: 'New title' }],
};

test('[T5] every control there is can be said in words, and no other', () => {
  expect([...controlNames].sort()).toEqual(Object.keys(controlShapes).sort());
  for (const [name, [words, value]] of Object.entries(said)) {
    expect(buildControlContent(name, words, {})).toEqual({ [name]: value });
    expect(control.safeParse({ [name]: value }).success).toBe(true);
  }
});

test('[C6] words that make no control are wrong usage, and say what is expected', () => {
  const wrong: [string, string[]][] = [
    ['explode', []],
    ['mute', []],
    ['pause', ['maybe']],
    ['done', ['now']],
    ['ttl_seconds', ['soon']],
    ['ttl_seconds', []],
    ['budget', ['1000']],
  ];
  for (const [name, words] of wrong) {
    expect(() => buildControlContent(name, words, {})).toThrow(expect.objectContaining({ exit: 2 }));
  }
  expect(() => buildControlContent('prod', ['alpha'], { soft: true })).toThrow('Use --soft only with "mute".');
});
