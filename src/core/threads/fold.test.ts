import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { buildManifest, manifest } from '../events/manifest.ts';
import { isConversationType } from './event-types.ts';
import { threadEvents } from './events.ts';
import { evolveThread } from './evolve.ts';
import { initialThread } from './state.ts';

const invited = controls(human, { invite: { participant_id: 'alpha', profile: {} } });

describe('the fold', () => {
  test('[L3] defining a type twice fails at load time', () => {
    expect(() => buildManifest(threadEvents, threadEvents)).toThrow(/defined twice/);
    const ofConversation = [...manifest.values()].filter(({ type }) => isConversationType(type));
    expect(ofConversation).toEqual(threadEvents.filter(({ durable }) => durable));
    expect(manifest.get('message')).toMatchObject({ durable: true, v: 1 });
    expect(manifest.get('presence.updated')?.durable).toBe(false);
  });

  test('[L3] types are noun-then-action, except the five oldest', () => {
    const five = ['message', 'control', 'presence', 'task', 'result'];
    for (const type of manifest.keys()) expect(five.includes(type) || /^[a-z]+\.[a-z_]+$/.test(type), type).toBe(true);
  });

  test('[L3] an event of an unknown type changes nothing', () => {
    const thread = given(created);
    const strange = { ...(thread.events[0] as Event), type: 'moon.landed', content: { any: ['thing'] } };
    expect(evolveThread(thread.state(), strange)).toBe(thread.state());
  });

  test('[L1] the same events always give the same state, and folding never changes its input', () => {
    const any = fc.constantFrom(
      ...[says(human, 'a'), says(alpha, 'b'), invited, controls(human, { mute: { targets: ['alpha'] } })],
      ...[
        controls(human, { unmute: { targets: ['alpha'] } }),
        controls(human, { pause: { on: true } }),
        controls(human, { done: true }),
      ],
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (steps) => {
        const thread = given(created);
        for (const step of steps) thread.when(...step);
        let state = Object.freeze(initialThread('t1'));
        for (const event of thread.events) state = Object.freeze(evolveThread(state, event));
        expect(state).toEqual(thread.state());
      }),
    );
  });
});
