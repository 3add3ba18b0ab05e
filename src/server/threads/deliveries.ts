import type { Event } from '../../core/events/event.ts';
import { decisionsOn } from '../../core/threads/policy/routing.ts';
import type { State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { WireDelivery } from '../../protocol/threads.ts';

type Reaches = ReadonlyMap<string, WireDelivery['reach']>;

/** So many, of all events together: a thread may have a thousand participants. */
const REMEMBERED = 100_000;

/** Whom an event wakes, with what is known now of whether they can be reached (T17). */
export function createDeliveries(engine: Engine) {
  /** Who could be reached when an event was posted: a retry of its post is told the same. */
  const whenPosted = new Map<string, Reaches>();
  let remembered = 0;

  function explain(state: State, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => reachesNow(state));
  }

  function explainPost(state: State, event: Event): readonly WireDelivery[] {
    return withReach(state, event, () => whenPosted.get(event.id) ?? remember(state, event));
  }

  function withReach(state: State, event: Event, reaches: () => Reaches): readonly WireDelivery[] {
    const decided = decisionsOn(state.thread, event);
    if (decided.length === 0) return [];
    const known = reaches();
    return decided.map((each) => ({ ...each, reach: known.get(each.participant) ?? 'none' }));
  }

  function remember(state: State, event: Event): Reaches {
    const reaches = reachesNow(state);
    whenPosted.set(event.id, reaches);
    remembered += sizeOf(reaches);
    for (const [oldest, known] of whenPosted) {
      if (remembered <= REMEMBERED) break;
      whenPosted.delete(oldest);
      remembered -= sizeOf(known);
    }
    return reaches;
  }

  function reachesNow(state: State): Reaches {
    return new Map(engine.present(state).map(({ participant, reach }) => [participant, reach]));
  }

  return { explain, explainPost };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

function sizeOf(reaches: Reaches): number {
  return 1 + reaches.size;
}
