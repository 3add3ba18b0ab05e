import { authorLabelOf } from '../../core/events/event.ts';
import { isInArchive } from '../../core/threads/view/archive.ts';
import { nameMinds } from '../../core/threads/view/minds.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import { type State, workspace } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ImportedView } from '../../engine/imports/imports.ts';
import { eventOf, type SealedEvent, type StoredEvent } from '../../log/event-log.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { ThreadListQuery, ThreadRow } from '../../protocol/threads.ts';

/** As many faces as a list has room for. */
const MAX_PEOPLE = 4;

type LastActivity = ThreadRow['last'] & { readonly position: number };

/** The last activity of each thread: read once, then again only for threads that changed. */
export function createActivity(engine: Engine) {
  const lastByThread = new Map<string, LastActivity>();
  let changeCount = 0;
  let isFollowing = true;
  const unsubscribe = engine.tail.subscribe({
    after: engine.tail.position,
    onEvents: (rows) => {
      changeCount++;
      for (const row of rows) lastByThread.delete(row.thread);
    },
    onError: () => {
      isFollowing = false;
      lastByThread.clear();
    },
  });

  /** The threads, the most recently active first. */
  async function listThreads(query: ThreadListQuery): Promise<readonly ThreadRow[]> {
    const all = await engine.index();
    const summaries = selectThreads(all, query);
    const imported = await engine.imports.ofRows(all);
    const entries = await Promise.all(
      summaries.map(async (summary) => ({
        summary,
        last: lastByThread.get(summary.id) ?? (await readLast(summary.id)),
      })),
    );
    return entries
      .sort((a, b) => b.last.position - a.last.position)
      .map(({ summary, last }) => rowOf(engine, summary, last, imported.get(summary.id)));
  }

  async function readLast(thread: string): Promise<LastActivity> {
    const countBefore = changeCount;
    const row = (await engine.log.lastOf(thread)) as StoredEvent;
    const last = { ...lastOf(row), position: row.position };
    if (isFollowing && changeCount === countBefore) lastByThread.set(thread, last);
    return last;
  }

  return { listThreads, close: unsubscribe };
}

function selectThreads(all: readonly ThreadSummary[], { archived, tag }: ThreadListQuery): readonly ThreadSummary[] {
  const tagged = tag === undefined ? all : all.filter(({ tags }) => tags?.includes(tag));
  if (archived === 'true') return tagged;
  const byId = new Map(all.map((row) => [row.id, row]));
  return tagged.filter((row) => isInArchive(row, (id) => byId.get(id)) === (archived === 'only'));
}

export type Activity = ReturnType<typeof createActivity>;

/** Builds a thread's row from its state and its newest event. */
export async function buildThreadRow(engine: Engine, state: State, newest: SealedEvent): Promise<ThreadRow> {
  const imported = await engine.imports.ofThread(state.thread);
  return rowOf(engine, workspace.summary(state), lastOf(newest), imported);
}

function rowOf(
  { defaultModel }: Engine,
  { resumed: _, faces = {}, cast = [], edits: _edits, working, ...summary }: ThreadSummary,
  { ts, from, cursor }: ThreadRow['last'],
  imported: ImportedView | undefined,
): ThreadRow {
  const thinking = cast.filter(({ role }) => role === 'mind').map(({ id }) => id);
  const people = [...new Set([...Object.keys(faces), ...thinking])];
  return {
    ...summary,
    ...(people.length > 0 && { people: people.slice(0, MAX_PEOPLE) }),
    ...(cast.length > 0 && { minds: nameMinds(cast, defaultModel, Object.keys(faces)) }),
    // A thread that waits for a human to resume it is not working.
    ...(working && !imported?.waiting && { working }),
    ...(imported && { imported }),
    last: { ts, from, cursor },
  };
}

function lastOf(row: SealedEvent): ThreadRow['last'] {
  const event = eventOf(row);
  return { ts: event.ts, from: authorLabelOf(event), cursor: cursorOf('thread', row.seq) };
}
