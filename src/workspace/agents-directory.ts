import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { dataPlace, unusable } from './directory.ts';
import { keysBeside } from './keys/key-store.ts';
import { personalSettings } from './settings/settings.ts';

/** Where the programs of a workspace's agents work, and what they must not see. */
export interface AgentsPlace {
  /** Each has a directory in here, apart from the workspace. */
  readonly directory: string;
  readonly hidden: readonly string[];
  /** Makes it, for its owner only, and brings there what agents had within the workspace before. */
  prepare(): void;
}

export function agentsPlace(
  workspace: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): AgentsPlace {
  const usual = statePlace(env, platform);
  const state = isWithin(usual, workspace) ? join(tmpdir(), `heddle-agents-${userInfo().uid}`) : usual;
  const hash = createHash('sha256').update(resolve(workspace)).digest('hex').slice(0, 12);
  const directory = join(state, 'agents', `${basename(workspace)}-${hash}`);
  return {
    directory,
    hidden: [resolve(workspace), dataPlace(env, platform), state, ...configPlaces(env, platform)],
    prepare: () => prepare(directory, state, join(workspace, 'agents')),
  };
}

function prepare(directory: string, state: string, before: string): void {
  try {
    mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
    if (isWithin(state, tmpdir()) && isForeign(state)) throw new Error('it belongs to somebody else');
    if (existsSync(directory)) return;
    if (existsSync(before)) move(before, directory);
    else mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    throw unusable(directory, error);
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // On another disk; what was there stays.
    cpSync(from, to, { recursive: true });
  }
}

function isForeign(path: string): boolean {
  const stat = lstatSync(path);
  return process.platform !== 'win32' && (!stat.isDirectory() || stat.uid !== userInfo().uid);
}

function statePlace(env: NodeJS.ProcessEnv, platform: string): string {
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support/Heddle Agents');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'Heddle');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'heddle');
}

/** The person's settings and keys; where they are files of their own somewhere, only those. */
function configPlaces(env: NodeJS.ProcessEnv, platform: string): readonly string[] {
  const file = personalSettings(env, platform);
  return env.HEDDLE_CONFIG ? [file, keysBeside(file)] : [dirname(file)];
}

function isWithin(path: string, place: string): boolean {
  const way = relative(resolve(place), path);
  return way === '' || (!way.startsWith('..') && resolve(way) !== way);
}
