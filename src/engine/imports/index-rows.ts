import { canonical } from '../../core/events/canonical.ts';
import type { Event } from '../../core/events/event.ts';
import { type State, workspace } from '../../core/workspace.ts';
import { forkedFrom } from '../../formats/verify/chain.ts';
import type { EventLog, RecordWrite, Sealed, Stored } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates, type Loaded } from '../states.ts';

/**
 * The index rows of threads whose events come from an export. Called with one
 * part after the other; each is in the log before the next is asked for.
 */
export function createIndexRows(log: EventLog) {
  const states = createStates(log, workspace);
  let reached: ReadonlyMap<string, Loaded<State>> = new Map();

  /** `parsed` are the same events, as they were read. */
  return async (events: readonly Sealed[], parsed: readonly Event[]): Promise<readonly RecordWrite[]> => {
    for (const [thread, loaded] of reached) await states.install(thread, loaded, loaded.seq);
    const now = new Map<string, Loaded<State>>();
    for (const [i, sealed] of events.entries()) {
      const event = parsed[i] as Event;
      const loaded = now.get(sealed.thread) ?? (await before(event));
      now.set(sealed.thread, states.step(loaded, sealed as Stored, event));
    }
    reached = now;
    return [...now].map(([thread, { state }]) => {
      return { kind: THREAD_INDEX, key: thread, value: canonical(workspace.summary(state)) };
    });
  };

  async function before(first: Event): Promise<Loaded<State>> {
    const known = await states.load(first.thread);
    if (known) return known;
    const fork = forkedFrom(first);
    return fork ? states.at(fork.thread, fork.seq) : states.empty(first.thread);
  }
}
