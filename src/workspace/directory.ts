import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { NoSpace, StoreUnavailable } from '../log/event-log.ts';

/** Where the parts of a workspace are (C1). */
export interface Directory {
  readonly path: string;
  readonly database: string;
  readonly settings: string;
  readonly token: string;
  readonly tokenKey: string;
  readonly server: string;
  readonly lock: string;
}

export function directoryAt(path: string): Directory {
  const place = resolve(path);
  return {
    path: place,
    database: join(place, 'heddle.db'),
    settings: join(place, 'heddle.yaml'),
    token: join(place, 'token'),
    tokenKey: join(place, 'token-key'),
    server: join(place, 'server.json'),
    lock: join(place, 'lock'),
  };
}

/** The per-user data directory, where nobody said otherwise. */
export function usualPlace(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  return env.HEDDLE_WORKSPACE || dataPlace(env, platform);
}

export function dataPlace(env: NodeJS.ProcessEnv, platform: string): string {
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support/Heddle');
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Heddle');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'heddle');
}

/** Makes the directory on first use, for its owner's eyes only. */
export function makeDirectory({ path }: Directory): void {
  try {
    if (existsSync(path) && statSync(path).isDirectory()) return;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(path, error);
  }
}

export function unusable(path: string, error: unknown): StoreUnavailable | NoSpace {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') {
    return new NoSpace(`The disk is full, so ${path} cannot be written. Free some space and try again.`);
  }
  const why: Record<string, string> = {
    EACCES: 'you may not read or write there',
    EPERM: 'you may not read or write there',
    ENOTDIR: 'part of that path is a file, not a directory',
    EEXIST: 'there is a file of that name',
    EISDIR: 'there is a directory of that name',
    ERR_FS_EISDIR: 'there is a directory of that name',
    EROFS: 'that disk can only be read',
    ENOENT: 'it is not there',
  };
  return new StoreUnavailable(
    `${path} cannot be used: ${why[code ?? ''] ?? message}. Check its permissions, or choose another directory with --workspace.`,
  );
}
