import { canonicalJson } from '../../core/events/canonical.ts';
import type { Event } from '../../core/events/event.ts';
import { type State, workspace } from '../../core/workspace.ts';
import { forkPointOf } from '../../formats/verify/chain.ts';
import type { EventLog, RecordWrite, SealedEvent, StoredEvent } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates, type LoadedState } from '../states.ts';

/**
 * Builds the index rows of imported threads. Called with one part after another; each is in the log before the next
 * call.
 */
export function createIndexRows(log: EventLog) {
  const states = createStates(log, workspace);
  let lastStates: ReadonlyMap<string, LoadedState<State>> = new Map();

  /** `parsedEvents` are the same events, already parsed. */
  return async (events: readonly SealedEvent[], parsedEvents: readonly Event[]): Promise<readonly RecordWrite[]> => {
    for (const [thread, loaded] of lastStates) await states.install(thread, loaded, loaded.seq);
    const nextStates = new Map<string, LoadedState<State>>();
    for (const [i, sealed] of events.entries()) {
      const event = parsedEvents[i] as Event;
      const loaded = nextStates.get(sealed.thread) ?? (await stateBefore(event));
      nextStates.set(sealed.thread, states.step(loaded, sealed as StoredEvent, event));
    }
    lastStates = nextStates;
    return [...nextStates].map(([thread, { state }]) => {
      return { kind: THREAD_INDEX, key: thread, value: canonicalJson(workspace.summary(state)) };
    });
  };

  async function stateBefore(first: Event): Promise<LoadedState<State>> {
    const existing = await states.load(first.thread);
    if (existing) return existing;
    const fork = forkPointOf(first);
    return fork ? states.at(fork.thread, fork.seq) : states.empty(first.thread);
  }
}
