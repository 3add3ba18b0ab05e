import { watch } from 'node:fs';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';

const POLL_MS = 1_000;

/** Signals possible changes: the file changed, the database sent a notification, or the polling interval passed. */
export function watchChanges({ directory, database }: Cli, log: EventLog, signal: AbortSignal) {
  let resolveNext = () => {};
  const listener = { onAppend: () => resolveNext(), onAnnouncement: () => {} };
  const unlisten = log.listen(listener);
  const watcher = database === undefined ? watch(directory.path, () => resolveNext()) : undefined;
  watcher?.on('error', () => {});
  signal.addEventListener('abort', () => resolveNext());
  return {
    next: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        resolveNext = () => {
          clearTimeout(timer);
          resolve();
        };
        if (signal.aborted) resolveNext();
      }),
    again: () => resolveNext(),
    close() {
      resolveNext();
      unlisten();
      watcher?.close();
    },
  };
}
