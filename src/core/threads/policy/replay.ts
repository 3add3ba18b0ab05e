import type { Event } from '../../events/event.ts';
import { evolveThread } from '../evolve.ts';
import { initialThread, type ThreadState } from '../state.ts';
import type { Delivery } from './policy.ts';

/** Policy settings to try on a thread's history. */
export type PolicySettings = Partial<ThreadState['policy']>;

/** A thread's state under its actual settings, and under others. */
export interface Replay {
  readonly settings: PolicySettings;
  readonly was: ThreadState;
  readonly would: ThreadState;
}

/** The actual and the hypothetical delivery of an event to one participant. */
export interface DeliveryDifference {
  readonly participant: string;
  readonly was: Delivery;
  readonly would: Delivery;
}

export interface ReplayStep {
  readonly replay: Replay;
  /** Undefined for an event that can wake nobody. */
  readonly deliveries?: { readonly was: readonly Delivery[]; readonly would: readonly Delivery[] };
  readonly differences: readonly DeliveryDifference[];
}

/** Replays a thread with other settings: the messages stay the same, only whom they wake is decided again (T13). */
export function beginReplay(thread: string, settings: PolicySettings): Replay {
  const was = initialThread(thread);
  return { settings, was, would: withPolicy(settings, was) };
}

export function replayEvent({ settings, was, would }: Replay, event: Event): ReplayStep {
  const replay = { settings, was: evolveThread(was, event), would: withPolicy(settings, evolveThread(would, event)) };
  const deliveries = { was: deliveriesIn(replay.was, event), would: deliveriesIn(replay.would, event) };
  if (deliveries.was.length + deliveries.would.length === 0) return { replay, differences: [] };
  return { replay, deliveries, differences: differencesBetween(deliveries.was, deliveries.would) };
}

function withPolicy(settings: PolicySettings, state: ThreadState): ThreadState {
  return { ...state, policy: { ...state.policy, ...settings } };
}

function deliveriesIn({ routing: { last } }: ThreadState, event: Event): readonly Delivery[] {
  return last?.event === event.id ? last.decisions : [];
}

function differencesBetween(was: readonly Delivery[], would: readonly Delivery[]): readonly DeliveryDifference[] {
  return was.flatMap((before) => {
    const after = would.find(({ participant }) => participant === before.participant);
    if (!after || (after.decision === before.decision && after.code === before.code)) return [];
    return [{ participant: before.participant, was: before, would: after }];
  });
}
