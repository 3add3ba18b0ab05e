import { createHttp } from '../../client/http.ts';
import { HeddleRefusal, HeddleUnreachable } from '../../client/refusal.ts';
import type { State } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { knownToken } from '../connect/client.ts';
import { serverOf } from '../connect/workspace.ts';
import { chosen, kindOf } from './current.ts';
import { findThread } from './find.ts';
import { type ThreadReading, withReading, wrongKind } from './reader.ts';

export type Call = ReturnType<typeof createHttp>['call'];

interface Named {
  readonly id: string;
  readonly title: string;
}

/** The two ways to what a thread tells; both tell the same. */
export interface Ways<Views> {
  byServer(call: Call, id: string): Views;
  byLog(state: State): Views;
}

/**
 * Looks at the thread that is meant. A server that runs has it in memory and
 * is asked, so that it costs the same however long it is; without one it is
 * folded from the log, which needs no lock and disturbs nobody.
 */
export async function withViews<Views, T>(
  cli: Cli,
  { byServer, byLog }: Ways<Views>,
  look: (views: Views, thread: Named) => T | Promise<T>,
): Promise<T> {
  const served = await servedThread(cli);
  if (served) return look(byServer(served.call, served.thread.id), served.thread);
  return withReading(cli, (reading: ThreadReading) => {
    const { thread } = reading.state;
    if (thread.kind !== kindOf(cli).kind) throw wrongKind(cli, thread);
    return look(byLog(reading.state), { id: reading.id, title: thread.title });
  });
}

async function servedThread(cli: Cli): Promise<{ call: Call; thread: Named } | undefined> {
  const name = chosen(cli);
  const token = knownToken(cli);
  const server = token === undefined ? undefined : await serverOf(cli);
  if (!server || token === undefined) return undefined;
  const { call } = createHttp({ url: server.url, token });
  try {
    const thread = findThread((await call('GET /api/threads')).threads, name);
    if (thread.kind !== kindOf(cli).kind) throw wrongKind(cli, thread);
    return { call, thread };
  } catch (error) {
    // Whoever may not ask the server, or finds it gone, still has the log.
    const noAnswer = error instanceof HeddleUnreachable || (error instanceof HeddleRefusal && error.status === 401);
    if (noAnswer) return undefined;
    throw error;
  }
}

/** All of something that comes in pages, newest first. */
export async function allOf<Row>(
  page: (before: number | undefined) => Promise<readonly Row[]>,
  numberOf: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const more = await page(last && numberOf(last));
    rows.push(...more);
    if (more.length === 0 || numberOf(more.at(-1) as Row) <= 1) return rows;
  }
}

/** An answer without what the server says besides: where the thread was when it was read. JSON has no "undefined". */
export function viewOf<View>({ head: _, ...view }: { readonly head: string }): View {
  return view as View;
}
