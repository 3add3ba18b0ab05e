import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import { viewThread } from './view.ts';

const MEGABYTE = 1024 * 1024;

/** A thread with so many open drafts of one text each. */
function withDrafts(count: number, text: string) {
  const world = given(
    [human, 'create', { title: 'Plans', kind: 'conversation', invite: [] }],
    [human, 'draft', { thread: 't1', text: 'first' }],
  );
  const state = world.state();
  const draft = state.drafts.open[1]!;
  const open = Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, { ...draft, text }]));
  return { ...state, drafts: { count, open } };
}

test('[L26] a thread with hundreds of large drafts shows the newest ones and counts the rest', () => {
  const { drafts, drafts_left_out, wants } = viewThread(
    withDrafts(560, 'x'.repeat(MEGABYTE / 8)),
    '2026-01-01T00:00:00Z',
  );
  expect(drafts.map(({ index }) => index)).toEqual([553, 554, 555, 556, 557, 558, 559, 560]);
  expect(drafts_left_out).toBe(552);
  expect(wants?.drafts?.count).toBe(560);
});

test('[L26] setting the clock back does not give agents more time', () => {
  const world = given(
    [human, 'create', { title: 'Plans', kind: 'conversation', invite: [] }],
    [human, 'post', { thread: 't1', type: 'control', content: { ttl_seconds: 60 } }],
    [human, 'post', { thread: 't1', type: 'message', content: 'Go on.' }],
  );
  expect(viewThread(world.state(), '2025-12-31T23:00:00.000Z').ttl_remaining).toBe(60);
});

test('[T19] drafts of a usual size are all shown, and a single draft always is', () => {
  const few = viewThread(withDrafts(500, 'x'.repeat(1000)), '2026-01-01T00:00:00Z');
  expect(few.drafts).toHaveLength(500);
  expect(few).not.toHaveProperty('drafts_left_out');
  expect(viewThread(withDrafts(1, 'x'.repeat(20 * MEGABYTE)), '2026-01-01T00:00:00Z').drafts).toHaveLength(1);
});

test('[T16] agents stopped by a limit are listed until a human writes, and can still be allowed to continue', () => {
  const invite = (participant_id: string) =>
    controls(human, { invite: { participant_id, profile: { kind: 'agent' } } });
  const world = given(
    created,
    ...[invite('alpha'), invite('beta'), controls(human, { policy: { mode: 'auto', hops: 0 } })],
    says(alpha, 'What do you think?', { to: 'beta' }),
  );
  const readView = () => viewThread(world.state(), world.now());
  expect(readView()).toMatchObject({ stopped: [{ participant: 'beta' }], wants: { stopped: 1 } });
  world.when(...says(human, 'Let me answer that.', { to: 'ana' }));
  expect(readView()).toMatchObject({ stopped: [] });
  expect(readView().wants?.stopped).toBeUndefined();
  world.when(...controls(human, { continue: true }));
  expect(readView().wakes).toContainEqual(expect.objectContaining({ participant: 'beta' }));
});

test('[T5] a budget limit of 0 removes the limit', () => {
  const control = (budget: object) => ({ thread: 't1', type: 'control', content: { budget } });
  const world = given(
    [human, 'create', { title: 'Plans', kind: 'conversation', invite: [] }],
    [human, 'post', control({ tokens: 9, money: 1 })],
  );
  expect(viewThread(world.state(), '2026-01-01T00:00:00Z').budget).toEqual({ tokens: 9, money: 1 });
  world.when(human, 'post', control({ money: 0 }));
  expect(viewThread(world.state(), '2026-01-01T00:00:00Z').budget).toEqual({ tokens: 9 });
});
