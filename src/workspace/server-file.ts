import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unusable } from './directory.ts';

/** Where the workspace's server answers, for commands that find the lock taken. */
export interface RunningServer {
  /** Where commands of this machine ask: always loopback. */
  readonly url: string;
  /** Where people open the page. */
  readonly page: string;
  readonly pid: number;
  /** Which log it serves: "heddle.db", or where the PostgreSQL one is. */
  readonly log: string;
}

const ANSWER_MS = 2_000;

export function writeServerFile(path: string, server: RunningServer): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(path, error);
  }
}

export function readServerFile(path: string): RunningServer | undefined {
  try {
    const server = JSON.parse(readFileSync(path, 'utf8')) as RunningServer;
    return typeof server.url === 'string' && typeof server.pid === 'number' ? server : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file unless another server has written its own since. */
export function removeServerFile(path: string, pid: number | undefined): void {
  if (pid !== undefined && readServerFile(path)?.pid !== pid) return;
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The server this file speaks of, if it is alive and answers. */
export async function answeringServer(path: string, log: string): Promise<RunningServer | undefined> {
  const server = readServerFile(path);
  if (server?.log !== log || !isAlive(server.pid)) return undefined;
  try {
    const answer = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok ? server : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
