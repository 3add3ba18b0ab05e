import { canonical } from '../core/canonical.ts';
import { type State, workspace } from '../core/workspace.ts';
import { forkedFrom } from '../formats/chain.ts';
import { type EventLog, eventOf, type RecordWrite, type Sealed, type Stored } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { createStates, type Loaded } from './states.ts';

/**
 * The index rows of threads whose events come from an export. Called with one
 * part after the other; each is in the log before the next is asked for.
 */
export function createIndexRows(log: EventLog) {
  const states = createStates(log, workspace);
  let stored: readonly Sealed[] = [];

  return async (events: readonly Sealed[]): Promise<readonly RecordWrite[]> => {
    states.observe(stored as readonly Stored[]);
    stored = events;
    const rows: RecordWrite[] = [];
    for (const [thread, own] of Map.groupBy(events, (sealed) => sealed.thread)) {
      let loaded = await before(own[0] as Sealed);
      for (const sealed of own) loaded = states.step(loaded, sealed as Stored);
      rows.push({ kind: THREAD_INDEX, key: thread, value: canonical(workspace.summary(loaded.state)) });
    }
    return rows;
  };

  async function before(first: Sealed): Promise<Loaded<State>> {
    const known = await states.load(first.thread);
    if (known) return known;
    const fork = forkedFrom(eventOf(first));
    return fork ? states.at(fork.thread, fork.seq) : states.empty(first.thread);
  }
}
