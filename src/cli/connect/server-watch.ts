import { isAlive, type RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import { findServer } from './workspace.ts';

const CHECK_EVERY_MS = 2_000;
/** Long enough for a restarted server to come back. */
const GONE_MS = 10_000;
/** Long enough for a busy server to answer. */
const SILENT_MS = 60_000;

/**
 * Watches the server that does some work. The returned function throws once the server is gone and not replaced.
 * Without a server the work is this process's own, and the function does nothing.
 */
export function createServerWatch(cli: Cli, server: RunningServer | undefined): () => Promise<void> {
  let checkedAt = performance.now();
  let answeredAt = checkedAt;

  return async function assertServed() {
    if (!server || performance.now() - checkedAt < CHECK_EVERY_MS) return;
    const currentServer = await findServer(cli);
    checkedAt = performance.now();
    if (currentServer) answeredAt = checkedAt;
    const isProcessAlive = isAlive(server.pid);
    if (checkedAt - answeredAt < (isProcessAlive ? SILENT_MS : GONE_MS)) return;
    const problem = isProcessAlive ? 'does not answer' : 'is gone';
    throw new Failure(
      'server_gone',
      `The server that did this work (process ${server.pid}) ${problem}. Everything recorded so far is kept. Continue: ${cli.program.name} run`,
    );
  };
}
