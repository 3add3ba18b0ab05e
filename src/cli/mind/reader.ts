import type { Dialogue } from '../../core/dialogue/state.ts';
import { modeState } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { withThreadReader, wrongKindFailure } from '../threads/reader.ts';

/** Reads the current state of a dialogue from the log. */
export interface DialogueReader {
  readonly id: string;
  readonly title: string;
  readonly dialogue: Dialogue;
  refresh(): Promise<boolean>;
}

/** Runs `work` with the current dialogue. */
export function withDialogue<T>(cli: Cli, work: (reader: DialogueReader, log: EventLog) => T | Promise<T>): Promise<T> {
  return withThreadReader(cli, (reader, log) => {
    const dialogue = () => modeState('dialogue', reader.state);
    if (!dialogue()) throw wrongKindFailure(cli, reader.state.thread);
    return work(
      {
        id: reader.id,
        get title() {
          return reader.state.thread.title;
        },
        get dialogue() {
          return dialogue() as Dialogue;
        },
        refresh: reader.refresh,
      },
      log,
    );
  });
}
