import type { Dialogue } from '../../core/dialogue/state.ts';
import { modeState, type State, workspace } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { withLog } from '../connect.ts';
import { EXIT, Failure } from '../failure.ts';
import { threadOfLog } from '../find-thread.ts';
import { oneLine } from '../text.ts';
import { chosen } from './current.ts';

const PAGE = 1000;

/** A dialogue as it stands in the log. */
export interface Reading {
  readonly id: string;
  readonly title: string;
  readonly dialogue: Dialogue;
  /** Takes in what was appended since; true when there was something. */
  refresh(): Promise<boolean>;
}

/**
 * Looks at the dialogue that is meant. It is folded from the log itself: that
 * needs no server and disturbs none, and what is committed is seen whoever
 * committed it.
 */
export function withDialogue<T>(cli: Cli, look: (reading: Reading, log: EventLog) => T | Promise<T>): Promise<T> {
  const name = chosen(cli);
  return withLog(cli, async (log) => look(await openReading(log, name), log));
}

async function openReading(log: EventLog, name: string): Promise<Reading> {
  const { id } = await threadOfLog(log, name);
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
    get title() {
      return state.thread.title;
    },
    get dialogue() {
      return modeState('dialogue', state) ?? fail(wrongKind(state));
    },
    refresh,
  };
}

function wrongKind({ thread }: State): Failure {
  const title = oneLine(thread.title);
  return new Failure(
    'wrong_kind',
    `"${title}" is a ${thread.kind}, not a dialogue. "mind open" lists the dialogues.`,
    EXIT.refused,
  );
}

function fail(failure: Failure): never {
  throw failure;
}
