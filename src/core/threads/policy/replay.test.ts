import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Event } from '../../events/event.ts';
import { beginReplay, type PolicySettings, replayEvent } from './replay.ts';
import { deliveriesFor } from './routing.ts';

const invite = (id: string) => controls(human, { invite: { participant_id: id, profile: { kind: 'agent' } } });

/** What would differ, by participant: code before and after. */
function replayAll(events: readonly Event[], settings: PolicySettings) {
  let replay = beginReplay('t1', settings);
  return events.flatMap((event) => {
    const step = replayEvent(replay, event);
    replay = step.replay;
    return step.differences.map(({ participant, was, would }) => `${participant}: ${was.code} → ${would.code}`);
  });
}

function conversation() {
  const thread = given(created, invite('alpha'), invite('beta'));
  thread.when(...says(human, 'hello'));
  for (const [from, to] of [
    [alpha, 'beta'],
    [beta, 'alpha'],
    [alpha, 'beta'],
    [beta, 'alpha'],
  ] as const)
    thread.when(...says(from, 'and what do you say?', { to }));
  return thread;
}

test('[T13] replaying history under its own settings gives the original decisions', () => {
  const thread = conversation();
  expect(replayAll(thread.events, {})).toEqual([]);
  let replay = beginReplay('t1', {});
  for (const event of thread.events) {
    const step = replayEvent(replay, event);
    replay = step.replay;
    if (step.deliveries) expect(step.deliveries.was).toEqual(deliveriesFor(replay.was, event));
  }
  expect(replay.was).toEqual(thread.state());
});

test('[T13] [T16] replaying history under other settings shows what would differ, and why', () => {
  const { events } = conversation();
  expect(replayAll(events, { mode: 'large' }).slice(0, 2)).toEqual([
    'alpha: woken → not_addressed',
    'beta: queued → not_addressed',
  ]);
  expect(replayAll(events, { hops: 1 })).toContain('alpha: woken → hop_limit');
  expect(replayAll(events, { hops: 9 })).toEqual(['alpha: hop_limit → woken']);
});

test('[T13] a policy change in the history does not override the settings being tried', () => {
  const thread = given(created, invite('alpha'), controls(human, { policy: { mode: 'small' } }));
  thread.when(...says(human, 'hello'));
  expect(replayAll(thread.events, { mode: 'large' })).toEqual(['alpha: woken → not_addressed']);
});
