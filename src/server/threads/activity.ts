import { authorShown } from '../../core/events/event.ts';
import type { ThreadSummary } from '../../core/threads/view/view.ts';
import { type State, workspace } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ImportedView } from '../../engine/imports/imports.ts';
import { eventOf, type Sealed, type Stored } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { ThreadRow } from '../../protocol/threads.ts';

type Last = ThreadRow['last'] & { readonly position: number };

/** When each thread was last written to: read once, then forgotten only for threads that changed. */
export function createActivity(engine: Engine) {
  const known = new Map<string, Last>();
  let changes = 0;
  let following = true;
  const stop = engine.tail.subscribe({
    after: engine.tail.position,
    deliver: (rows) => {
      changes++;
      for (const row of rows) known.delete(row.thread);
    },
    live: () => {},
    ready: async () => {},
    failed: () => {
      following = false;
      known.clear();
    },
  });

  /** The threads, the most recently active first. */
  async function threads(): Promise<readonly ThreadRow[]> {
    const summaries = await engine.index();
    const imported = await engine.imports.ofRows(summaries);
    const listed = await Promise.all(
      summaries.map(async (summary) => ({ summary, last: known.get(summary.id) ?? (await look(summary.id)) })),
    );
    return listed
      .sort((a, b) => b.last.position - a.last.position)
      .map(({ summary, last }) => rowOf(summary, last, imported.get(summary.id)));
  }

  async function look(thread: string): Promise<Last> {
    const before = changes;
    const row = (await engine.log.lastOf(thread)) as Stored;
    const last = { ...lastOf(row), position: row.position };
    if (following && changes === before) known.set(thread, last);
    return last;
  }

  return { threads, close: stop };
}

export type Activity = ReturnType<typeof createActivity>;

/** A thread as its state and its newest event describe it. */
export async function threadRow(engine: Engine, state: State, newest: Sealed): Promise<ThreadRow> {
  const imported = await engine.imports.ofThread(state.thread);
  return rowOf(workspace.summary(state) as unknown as ThreadSummary, lastOf(newest), imported);
}

function rowOf(
  { resumed: _, working, ...summary }: ThreadSummary,
  { ts, from, cursor }: ThreadRow['last'],
  imported: ImportedView | undefined,
): ThreadRow {
  return {
    ...summary,
    // What waits for a human to resume it is not at work.
    ...(working && !imported?.waiting && { working }),
    ...(imported && { imported }),
    last: { ts, from, cursor },
  } as ThreadRow;
}

function lastOf(row: Sealed): ThreadRow['last'] {
  const event = eventOf(row);
  return { ts: event.ts, from: authorShown(event), cursor: cursorOf('thread', row.seq) };
}
