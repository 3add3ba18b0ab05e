import type { Event } from '../core/event.ts';
import { decisionsOn } from '../core/threads/routing.ts';
import type { ThreadState } from '../core/threads/state.ts';
import type { Engine } from '../engine/engine.ts';
import type { WireDelivery } from '../protocol/wire.ts';

type Reaches = ReadonlyMap<string, WireDelivery['reach']>;

const REMEMBERED = 10_000;

/** Whom an event wakes, with what is known now of whether they can be reached (T17). */
export function createDeliveries(engine: Engine) {
  /** Who could be reached when an event was posted: a retry of its post is told the same. */
  const whenPosted = new Map<string, Reaches>();

  function explain(state: ThreadState, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => reachesNow(event.thread));
  }

  function explainPost(state: ThreadState, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => whenPosted.get(event.id) ?? remember(event));
  }

  function withReach(state: ThreadState, event: Event, reaches: () => Reaches): readonly WireDelivery[] {
    const decided = decisionsOn(state, event);
    if (decided.length === 0) return [];
    const known = reaches();
    return decided.map((each) => ({ ...each, reach: known.get(each.participant) ?? 'none' }));
  }

  function remember(event: Event): Reaches {
    const reaches = reachesNow(event.thread);
    if (whenPosted.size >= REMEMBERED) whenPosted.delete(whenPosted.keys().next().value as string);
    whenPosted.set(event.id, reaches);
    return reaches;
  }

  function reachesNow(thread: string): Reaches {
    return new Map(engine.presence.of(thread).map(({ participant, reach }) => [participant, reach]));
  }

  return { explain, explainPost };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
