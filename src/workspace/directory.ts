import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { NoSpace, StoreUnavailable } from '../log/event-log.ts';

/** The paths of a workspace's parts (C1). */
export interface WorkspaceDirectory {
  readonly path: string;
  readonly database: string;
  readonly settings: string;
  readonly token: string;
  readonly tokenKey: string;
  readonly server: string;
  readonly lock: string;
}

export function directoryAt(path: string): WorkspaceDirectory {
  const root = resolve(path);
  return {
    path: root,
    database: join(root, 'heddle.db'),
    settings: join(root, 'heddle.yaml'),
    token: join(root, 'token'),
    tokenKey: join(root, 'token-key'),
    server: join(root, 'server.json'),
    lock: join(root, 'lock'),
  };
}

/** The per-user data directory, which is the default workspace. */
export function defaultWorkspacePath(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  return env.HEDDLE_WORKSPACE || dataDirectoryOf(env, platform);
}

export function dataDirectoryOf(env: NodeJS.ProcessEnv, platform: string): string {
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support/Heddle');
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Heddle');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'heddle');
}

/** Creates the directory on first use, readable only by its owner. */
export function makeDirectory({ path }: WorkspaceDirectory): void {
  try {
    if (existsSync(path) && statSync(path).isDirectory()) return;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusablePathError(path, error);
  }
}

export function unusablePathError(path: string, error: unknown): StoreUnavailable | NoSpace {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') {
    return new NoSpace(`The disk is full, so ${path} cannot be written. Free some space and try again.`);
  }
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENOTDIR: 'part of that path is a file, not a directory',
    EEXIST: 'a file of that name exists',
    EISDIR: 'a directory of that name exists',
    ERR_FS_EISDIR: 'a directory of that name exists',
    EROFS: 'the disk is read-only',
    ENOENT: 'it does not exist',
  };
  return new StoreUnavailable(
    `${path} cannot be used: ${reasons[code ?? ''] ?? message}. Check its permissions, or choose another directory with --workspace.`,
  );
}
