import { createHttp } from '../../client/http.ts';
import { HeddleRefusal, HeddleUnreachable } from '../../client/refusal.ts';
import type { State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { findToken } from '../connect/client.ts';
import { findServer } from '../connect/workspace.ts';
import { requireCurrentThread, targetOf } from './current.ts';
import { findThread } from './find.ts';
import { type ThreadReader, withThreadReader, wrongKindFailure } from './reader.ts';

export type HttpCall = ReturnType<typeof createHttp>['call'];

interface ThreadRef {
  readonly id: string;
  readonly title: string;
}

/** The two sources of a thread's views. Both give the same results. */
export interface ViewSources<Views> {
  viaServer(call: HttpCall, id: string): Views;
  viaLog(state: State): Views;
}

/**
 * Runs `work` with the views of the current thread. A running server has the
 * thread in memory, so the cost does not depend on its length. Without a
 * server the thread is folded from the log, which needs no lock and disturbs nobody.
 */
export async function withViews<Views, T>(
  cli: Cli,
  { viaServer, viaLog }: ViewSources<Views>,
  work: (views: Views, thread: ThreadRef) => T | Promise<T>,
): Promise<T> {
  const servedThread = await findServedThread(cli);
  if (servedThread) return work(viaServer(servedThread.call, servedThread.thread.id), servedThread.thread);
  return withThreadReader(cli, (reader: ThreadReader) => {
    const { thread } = reader.state;
    if (thread.kind !== targetOf(cli).kind) throw wrongKindFailure(cli, thread);
    return work(viaLog(reader.state), { id: reader.id, title: thread.title });
  });
}

async function findServedThread(cli: Cli): Promise<{ call: HttpCall; thread: ThreadRef } | undefined> {
  const name = requireCurrentThread(cli);
  const token = findToken(cli);
  const server = token === undefined ? undefined : await findServer(cli);
  if (!server || token === undefined) return undefined;
  const { call } = createHttp({ url: server.url, token });
  try {
    const thread = findThread((await call('GET /api/threads')).threads, name);
    if (thread.kind !== targetOf(cli).kind) throw wrongKindFailure(cli, thread);
    return { call, thread };
  } catch (error) {
    // If the server rejects the token or is gone, fall back to the log.
    const noAnswer = error instanceof HeddleUnreachable || (error instanceof HeddleRefusal && error.status === 401);
    if (noAnswer) return undefined;
    throw error;
  }
}

/** Reads all pages of a list, newest first. */
export async function readAllPages<Row>(
  readPage: (before: number | undefined) => Promise<readonly Row[]>,
  numberOf: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const rowsOfPage = await readPage(last && numberOf(last));
    rows.push(...rowsOfPage);
    if (rowsOfPage.length === 0 || numberOf(rowsOfPage.at(-1) as Row) <= 1) return rows;
  }
}

/** Removes `head`, the thread position that the server adds to an answer. JSON has no "undefined". */
export function withoutHead<View>({ head: _, ...view }: { readonly head: string }): View {
  return view as View;
}
