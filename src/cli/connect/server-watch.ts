import { isAlive, type RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import { serverOf } from './workspace.ts';

const LOOK_EVERY_MS = 2_000;
/** A server that is started again is back by then. */
const GONE_MS = 10_000;
/** One that is only busy has answered by then. */
const SILENT_MS = 60_000;

/**
 * For work that a server does: gives a function that fails once the server is gone and no other has come in its place.
 * Without a server the work is this process's own.
 */
export function createServerWatch(cli: Cli, server: RunningServer | undefined): () => Promise<void> {
  let looked = performance.now();
  let answered = looked;

  return async function mustBeServed() {
    if (!server || performance.now() - looked < LOOK_EVERY_MS) return;
    const found = await serverOf(cli);
    looked = performance.now();
    if (found) answered = looked;
    const alive = isAlive(server.pid);
    if (looked - answered < (alive ? SILENT_MS : GONE_MS)) return;
    const what = alive ? 'does not answer' : 'is gone';
    throw new Failure(
      'server_gone',
      `The server that did this work (process ${server.pid}) ${what}. What was recorded is kept. Continue: ${cli.program.name} run`,
    );
  };
}
