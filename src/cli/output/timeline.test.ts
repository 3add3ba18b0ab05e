import { expect, test } from 'vitest';
import { createTimeline } from './timeline.ts';

test('[I3] an answer to an invitation shows what it answers, not an id', () => {
  const lines: string[] = [];
  const plain = (text: string) => text;
  const colors = new Proxy({}, { get: () => plain });
  const show = createTimeline({ colors, width: 80, line: (text: string) => void lines.push(text) } as never, {
    formatTime: () => 'now',
  });
  const event = { thread: 't', ts: '', to: 'all', meta: {} };
  const invite = { invite: { participant_id: 'muse', profile: { kind: 'agent' } } };
  show({ ...event, id: 'one', seq: 1, from: 'ana', type: 'control', content: invite } as never);
  show({
    ...event,
    id: 'two',
    seq: 2,
    from: 'muse',
    type: 'message',
    content: 'Hi.',
    meta: { reply_to: 'one' },
  } as never);
  expect(lines.at(-2)).toMatch(/^ {2}↳ ana invited muse/);
});
