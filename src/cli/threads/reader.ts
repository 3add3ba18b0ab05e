import { withArticle } from '../../core/text/article.ts';
import { type State, workspace } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { requireCurrentThread, targetOf } from './current.ts';
import { findThreadInLog } from './find.ts';

const PAGE = 1000;

/** Reads the current state of a thread from the log. */
export interface ThreadReader {
  readonly id: string;
  readonly state: State;
  /** The number of the last event read. */
  readonly seq: number;
  /** Reads newly appended events; true if there were any. */
  refresh(): Promise<boolean>;
}

/**
 * Runs `work` with the current thread. Its state is folded from the log
 * itself, which needs no server, disturbs none, and includes events that any
 * process committed.
 */
export function withThreadReader<T>(
  cli: Cli,
  work: (reader: ThreadReader, log: EventLog) => T | Promise<T>,
): Promise<T> {
  const name = requireCurrentThread(cli);
  return withLog(cli, async (log) => work(await openThreadReader(log, name), log));
}

export async function openThreadReader(log: EventLog, name: string): Promise<ThreadReader> {
  const { id } = await findThreadInLog(log, name);
  let state: State = workspace.initial(id);
  let seq = 0;

  async function refresh(): Promise<boolean> {
    const before = seq;
    for (;;) {
      const rows = await log.readThread(id, seq, PAGE);
      for (const row of rows) {
        state = workspace.evolve(state, eventOf(row));
        seq = row.seq;
      }
      if (rows.length < PAGE) return seq > before;
    }
  }

  await refresh();
  return {
    id,
    get state() {
      return state;
    },
    get seq() {
      return seq;
    },
    refresh,
  };
}

/** The failure for a thread of another kind than the program works with. */
export function wrongKindFailure(cli: Cli, thread: { readonly title: string; readonly kind: string }): Failure {
  const { kind } = targetOf(cli);
  const [actual, expected] = [withArticle(thread.kind), withArticle(kind)];
  return new Failure(
    'wrong_kind',
    `"${oneLine(thread.title)}" is ${actual}, not ${expected}. "${cli.program.name} open" lists the ${kind}s.`,
    EXIT.refused,
  );
}
