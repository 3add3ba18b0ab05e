import { isAlive, type RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import { findServer } from './workspace.ts';

const CHECK_EVERY_MS = 2_000;
/** A server that is started again is back by then. */
const GONE_MS = 10_000;
/** One that is only busy has answered by then. */
const SILENT_MS = 60_000;

/**
 * For work that a server does: gives a function that fails once the server is gone and no other has come in its place.
 * Without a server the work is this process's own.
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
      `The server that did this work (process ${server.pid}) ${problem}. What was recorded is kept. Continue: ${cli.program.name} run`,
    );
  };
}
