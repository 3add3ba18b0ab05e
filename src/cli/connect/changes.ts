import { watch } from 'node:fs';
import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';

const POLL_MS = 1_000;

/** Signals possible changes: the file changed, the database has new events, or the polling interval passed. */
export function watchChanges({ directory, database }: Cli, client: Client, signal: AbortSignal) {
  let resolveNext = () => {};
  const closing = new AbortController();
  const watcher = database === undefined ? watch(directory.path, () => resolveNext()) : undefined;
  watcher?.on('error', () => {});
  if (database !== undefined) followEvents().catch(() => {});
  signal.addEventListener('abort', () => resolveNext());

  async function followEvents() {
    for await (const { event } of client.stream({ after: 'head', signal: closing.signal })) if (event) resolveNext();
  }

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
      closing.abort();
      watcher?.close();
    },
  };
}
