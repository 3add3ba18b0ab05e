import type { Client, ThreadClient, ThreadRow } from '../../client/index.ts';
import { findSimilarTitle, findThreadsByName, type NamedThread } from '../../core/threads/view/find.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import type { EventLog } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import type { RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';

/** Finds a thread by its id, by the start or end of the id, or by its exact title. */
export function findThread<Row extends NamedThread>(rows: readonly Row[], name: string): Row {
  const matches = findThreadsByName(rows, name);
  if (matches.length === 1) return matches[0] as Row;
  if (matches.length === 0) {
    const suggestion = findSimilarTitle(rows, name);
    const hint = suggestion ? `Did you mean "${oneLine(suggestion)}"?` : '"heddle threads" lists them.';
    throw new Failure('unknown_thread', `There is no thread "${oneLine(name)}" here. ${hint}`, EXIT.refused);
  }
  const candidates = matches.slice(0, 5).map(({ id, title }) => `\n  ${id}  ${oneLine(title)}`);
  throw new Failure(
    'ambiguous',
    `"${oneLine(name)}" matches ${matches.length} threads. Use more of the ID:${candidates.join('')}`,
    EXIT.usage,
  );
}

export async function findThreadInLog(log: EventLog, name: string): Promise<ThreadSummary> {
  const row = await log.record(THREAD_INDEX, name);
  return row === undefined ? findThread(await listThreadsInLog(log), name) : JSON.parse(row);
}

export async function listThreadsInLog(log: EventLog): Promise<readonly ThreadSummary[]> {
  return (await log.records(THREAD_INDEX)).map((row) => JSON.parse(row.value));
}

export const WHOLE_ID = /^[0-9A-Z]{26}$/;

/** Finds a thread's row. */
export async function findThreadRow(client: Client, name: string): Promise<ThreadRow> {
  if (WHOLE_ID.test(name)) return (await client.thread(name).get()).thread;
  return findThread((await client.threads.list({ archived: 'true' })).threads, name);
}

/** Finds a thread's id. A full id needs no lookup: the server reports an unknown thread. */
export async function resolveThreadId(client: Client, name: string): Promise<string> {
  return WHOLE_ID.test(name) ? name : findThread((await client.threads.list({ archived: 'true' })).threads, name).id;
}

/** Runs `work` with a thread, as a client of its workspace. */
export function withThread<T>(
  cli: Cli,
  name: string,
  work: (thread: ThreadClient, client: Client, server?: RunningServer) => Promise<T>,
): Promise<T> {
  return withClient(cli, async (client, server) =>
    work(client.thread(await resolveThreadId(client, name)), client, server),
  );
}

const MIN_LENGTH = 6;

/** Shortens ids to endings that are still unique in the list. ULIDs from the same moment start alike. */
export function createIdShortener(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  const longest = all.reduce((length, id) => Math.max(length, id.length), 0);
  for (let length = MIN_LENGTH; length < longest; length++) {
    if (new Set(all.map((id) => id.slice(-length))).size === all.length) return (id) => oneLine(id.slice(-length));
  }
  return oneLine;
}
