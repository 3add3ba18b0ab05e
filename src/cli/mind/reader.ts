import type { Dialogue } from '../../core/dialogue/state.ts';
import { modeState } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { withReading, wrongKind } from '../threads/reader.ts';

/** A dialogue as it stands in the log. */
export interface Reading {
  readonly id: string;
  readonly title: string;
  readonly dialogue: Dialogue;
  refresh(): Promise<boolean>;
}

/** Looks at the dialogue that is meant. */
export function withDialogue<T>(cli: Cli, look: (reading: Reading, log: EventLog) => T | Promise<T>): Promise<T> {
  return withReading(cli, (reading, log) => {
    const dialogue = () => modeState('dialogue', reading.state);
    if (!dialogue()) throw wrongKind(cli, reading.state.thread);
    return look(
      {
        id: reading.id,
        get title() {
          return reading.state.thread.title;
        },
        get dialogue() {
          return dialogue() as Dialogue;
        },
        refresh: reading.refresh,
      },
      log,
    );
  });
}
