import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ProgramsPlace } from '../engine/agents/command.ts';
import { dataDirectoryOf, unusablePathError } from './directory.ts';
import { keysPathBeside } from './keys/key-store.ts';
import { personalSettingsPath } from './settings/personal-path.ts';

/** Where a workspace's agents run, apart from the workspace: one directory per agent, and the paths hidden from them. */
export function agentsDirectoryOf(
  workspace: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): ProgramsPlace & { prepare(): void } {
  const usualState = stateDirectoryOf(env, platform);
  const stateDirectory = isWithin(usualState, workspace)
    ? join(tmpdir(), `heddle-agents-${userInfo().uid}`)
    : usualState;
  const hash = createHash('sha256').update(resolve(workspace)).digest('hex').slice(0, 12);
  const directory = join(stateDirectory, 'agents', `${basename(workspace)}-${hash}`);
  return {
    directory,
    hidden: [resolve(workspace), dataDirectoryOf(env, platform), stateDirectory, ...configPaths(env, platform)],
    prepare: () => prepareDirectory(directory, stateDirectory, join(workspace, 'agents')),
  };
}

/** Creates the directory for its owner only, and moves agents' files there from their old place in the workspace. */
function prepareDirectory(directory: string, stateDirectory: string, oldDirectory: string): void {
  try {
    mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
    if (isWithin(stateDirectory, tmpdir()) && isForeignOwned(stateDirectory))
      throw new Error('it belongs to somebody else');
    if (existsSync(directory)) return;
    if (existsSync(oldDirectory)) moveDirectory(oldDirectory, directory);
    else mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    throw unusablePathError(directory, error);
  }
}

function moveDirectory(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The target is on another disk: copy, and keep the original.
    cpSync(from, to, { recursive: true });
  }
}

function isForeignOwned(path: string): boolean {
  const stat = lstatSync(path);
  return process.platform !== 'win32' && (!stat.isDirectory() || stat.uid !== userInfo().uid);
}

function stateDirectoryOf(env: NodeJS.ProcessEnv, platform: string): string {
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support/Heddle Agents');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'Heddle');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'heddle');
}

/** The user's settings and keys: their directory, or only the two files if HEDDLE_CONFIG names the settings file. */
function configPaths(env: NodeJS.ProcessEnv, platform: string): readonly string[] {
  const file = personalSettingsPath(env, platform);
  return env.HEDDLE_CONFIG ? [file, keysPathBeside(file)] : [dirname(file)];
}

function isWithin(path: string, parent: string): boolean {
  const relativePath = relative(resolve(parent), path);
  return relativePath === '' || (!relativePath.startsWith('..') && resolve(relativePath) !== relativePath);
}
