import { watch } from 'node:fs';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';

const POLL_MS = 1_000;

/** Something may be new: the file changed, the database said so, or it is time to look anyway. */
export function createWakes({ directory, database }: Cli, log: EventLog, signal: AbortSignal) {
  let wake = () => {};
  const listener = { appended: () => wake(), announced: () => {} };
  const unlisten = log.listen(listener);
  const watcher = database === undefined ? watch(directory.path, () => wake()) : undefined;
  watcher?.on('error', () => {});
  signal.addEventListener('abort', () => wake());
  return {
    next: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (signal.aborted) wake();
      }),
    again: () => wake(),
    close() {
      wake();
      unlisten();
      watcher?.close();
    },
  };
}
