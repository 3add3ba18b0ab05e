import { expect, test } from 'vitest';
import { createTimeline } from './timeline.ts';

const event = { thread: 't', ts: '', to: 'all', meta: {} };

function openTimeline() {
  const lines: string[] = [];
  const plain = (text: string) => text;
  const colors = new Proxy({}, { get: () => plain });
  const show = createTimeline({ colors, width: 80, line: (text: string) => void lines.push(text) } as never, {
    formatTime: () => 'now',
  });
  return { lines, show };
}

test('[I3] an answer to an invitation shows what it answers, not an id', () => {
  const { lines, show } = openTimeline();
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

test('[T10] a rename is told once, by the fact', () => {
  const { lines, show } = openTimeline();
  const wish = { type: 'control', content: { rename: { title: 'Better' } } };
  const fact = { type: 'thread.renamed', content: { title: 'Better' } };
  for (const [i, each] of [wish, fact].entries())
    show({ ...event, ...each, id: `e${i}`, seq: i + 1, from: 'ana', v: 1 } as never);
  expect(lines).toEqual(['· ana renamed the thread to “Better” · now #2']);
});
