import { readFileSync, rmSync } from 'node:fs';
import { unusablePathError } from './directory.ts';
import { writeLineFile } from './line-file.ts';

/** The address of the workspace's running server, for commands that find the lock taken. */
export interface RunningServer {
  /** The address for commands on this machine: always loopback. */
  readonly url: string;
  /** The address of the page for people. */
  readonly page: string;
  readonly pid: number;
  /** The log it serves: "heddle.db", or the address of the PostgreSQL log. */
  readonly log: string;
}

const TIMEOUT_MS = 2_000;

export function writeServerFile(path: string, server: RunningServer): void {
  writeLineFile(path, JSON.stringify(server));
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
    throw unusablePathError(path, error);
  }
}

/** The server named in this file, if it is alive and answers. */
export async function findRunningServer(path: string, log: string): Promise<RunningServer | undefined> {
  const server = readServerFile(path);
  if (server?.log !== log || !isAlive(server.pid)) return undefined;
  try {
    const response = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? server : undefined;
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
