import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { ThreadNeeds } from '../view/schema.ts';
import { summaryOf } from '../view/view.ts';

const needsOf = (thread: ReturnType<typeof given>) =>
  (summaryOf(thread.state()) as unknown as { wants?: ThreadNeeds }).wants;

test('[T14] a participant asked by name is listed in the thread’s row until they write there', () => {
  const thread = given(created, says(human, 'hello'), says(alpha, 'what about this?', { to: 'ana' }));
  expect(needsOf(thread)?.asked).toEqual({
    ana: {
      event: thread.events.at(-1)?.id,
      seq: thread.events.at(-1)?.seq,
      by: 'alpha',
      as: 'message',
      ts: expect.any(String),
    },
  });
  thread.when(...says(human, 'that'));
  expect(needsOf(thread)).toBeUndefined();
});

test('[T14] a mention in the text counts as asking, and agents are woken instead of waited for', () => {
  const thread = given(created, says(human, 'hello'), says(alpha, 'hello'));
  thread.when(...says(human, '@alpha look'));
  expect(needsOf(thread)).toBeUndefined();
  thread.when(...says(alpha, 'ask @ana about it'));
  expect(needsOf(thread)?.asked).toMatchObject({ ana: { by: 'alpha', as: 'message' } });
});

test('[T14] a prod and an invitation count as asking too, and at most eight are listed', () => {
  const thread = given(
    created,
    ...Array.from({ length: 12 }, (_, i) => controls(human, { invite: { participant_id: `p${i}`, profile: {} } })),
  );
  expect(Object.keys(needsOf(thread)?.asked ?? {})).toEqual(['p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11']);
  thread.when(...controls(human, { prod: ['p11'] }));
  expect(needsOf(thread)?.asked?.p11?.as).toBe('prod');
});
