import type { Event } from '../../events/event.ts';
import { evolveThread } from '../evolve.ts';
import { initialThread, type ThreadState } from '../state.ts';
import type { Delivery } from './policy.ts';

/** Settings of the policy to try on what has happened. */
export type PolicySettings = Partial<ThreadState['policy']>;

/** History under the settings it had, and under others. */
export interface Replay {
  readonly settings: PolicySettings;
  readonly was: ThreadState;
  readonly would: ThreadState;
}

/** What became of an event for one participant, and what would have. */
export interface Difference {
  readonly participant: string;
  readonly was: Delivery;
  readonly would: Delivery;
}

export interface Replayed {
  readonly replay: Replay;
  /** Undefined for an event that can wake nobody. */
  readonly decided?: { readonly was: readonly Delivery[]; readonly would: readonly Delivery[] };
  readonly differences: readonly Difference[];
}

/** What was said stays what it was: only who would have been woken by it is asked anew (T13). */
export function beginReplay(thread: string, settings: PolicySettings): Replay {
  const was = initialThread(thread);
  return { settings, was, would: under(settings, was) };
}

export function replayEvent({ settings, was, would }: Replay, event: Event): Replayed {
  const replay = { settings, was: evolveThread(was, event), would: under(settings, evolveThread(would, event)) };
  const decided = { was: decisionsIn(replay.was, event), would: decisionsIn(replay.would, event) };
  if (decided.was.length + decided.would.length === 0) return { replay, differences: [] };
  return { replay, decided, differences: differing(decided.was, decided.would) };
}

function under(settings: PolicySettings, state: ThreadState): ThreadState {
  return { ...state, policy: { ...state.policy, ...settings } };
}

function decisionsIn({ routing: { last } }: ThreadState, event: Event): readonly Delivery[] {
  return last?.event === event.id ? last.decisions : [];
}

function differing(was: readonly Delivery[], would: readonly Delivery[]): readonly Difference[] {
  return was.flatMap((before) => {
    const after = would.find(({ participant }) => participant === before.participant);
    if (!after || (after.decision === before.decision && after.code === before.code)) return [];
    return [{ participant: before.participant, was: before, would: after }];
  });
}
