import type { Event } from '../../core/events/event.ts';
import { deliveriesFor } from '../../core/threads/policy/routing.ts';
import type { State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { WireDelivery } from '../../protocol/threads.ts';

type ReachByParticipant = ReadonlyMap<string, WireDelivery['reach']>;

/** Limit over all events together: a single thread may have a thousand participants. */
const MAX_REMEMBERED = 100_000;

/** Explains which participants an event wakes, and whether they can be reached now (T17). */
export function createDeliveries(engine: Engine) {
  /** Who was reachable when an event was posted, so that a retry of the post gets the same response. */
  const reachWhenPosted = new Map<string, ReachByParticipant>();
  let rememberedSize = 0;

  function explain(state: State, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => reachesNow(state));
  }

  function explainPost(state: State, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => reachWhenPosted.get(event.id) ?? remember(state, event));
  }

  function withReach(state: State, event: Event, reaches: () => ReachByParticipant): readonly WireDelivery[] {
    const decisions = deliveriesFor(state.thread, event);
    if (decisions.length === 0) return [];
    const reachByParticipant = reaches();
    return decisions.map((each) => ({ ...each, reach: reachByParticipant.get(each.participant) ?? 'none' }));
  }

  function remember(state: State, event: Event): ReachByParticipant {
    const reaches = reachesNow(state);
    reachWhenPosted.set(event.id, reaches);
    rememberedSize += sizeOf(reaches);
    for (const [oldestEvent, oldReaches] of reachWhenPosted) {
      if (rememberedSize <= MAX_REMEMBERED) break;
      reachWhenPosted.delete(oldestEvent);
      rememberedSize -= sizeOf(oldReaches);
    }
    return reaches;
  }

  function reachesNow(state: State): ReachByParticipant {
    return new Map(engine.presencesOf(state).map(({ participant, reach }) => [participant, reach]));
  }

  return { explain, explainPost };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

function sizeOf(reaches: ReachByParticipant): number {
  return 1 + reaches.size;
}
