import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentsDirectoryOf } from './agents-directory.ts';

function newHome() {
  const home = mkdtempSync(join(tmpdir(), 'heddle-place-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { XDG_STATE_HOME: join(home, 'state'), XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: home };
  return { home, env };
}

test('[I10] agents work apart from the workspace, for its owner only, each workspace in a place of its own', () => {
  const { home, env } = newHome();
  const [one, other] = ['one/garden', 'other/garden'].map((name) => agentsDirectoryOf(join(home, name), env, 'linux'));
  expect(one?.directory).not.toBe(other?.directory);
  expect(relative(join(home, 'state/heddle/agents'), one?.directory ?? '')).toMatch(/^garden-[0-9a-f]{12}$/);
  expect(one?.hidden).toEqual(['one/garden', 'data/heddle', 'state/heddle', 'heddle'].map((name) => join(home, name)));
  one?.prepare();
  expect(statSync(one?.directory ?? '').mode & 0o077).toBe(0);
});

test('[I10] [M14] settings that lie elsewhere are hidden, and so are the keys beside them', () => {
  const { home, env } = newHome();
  const { hidden } = agentsDirectoryOf(
    join(home, 'garden'),
    { ...env, HEDDLE_CONFIG: join(home, 'mine/heddle.yaml') },
    'linux',
  );
  expect(hidden).toEqual(
    expect.arrayContaining(['mine/heddle.yaml', 'mine/keys.json'].map((name) => join(home, name))),
  );
});

test('[I10] a workspace that holds everything of its person still has its agents elsewhere', () => {
  const { home, env } = newHome();
  for (const platform of ['linux', 'darwin', 'win32']) {
    const { directory } = agentsDirectoryOf(home, { ...env, LOCALAPPDATA: home }, platform);
    expect(relative(home, directory)).toMatch(/^\.\./);
  }
});

test('[I10] what agents had within the workspace is brought along', () => {
  const { home, env } = newHome();
  const workspace = join(home, 'garden');
  mkdirSync(join(workspace, 'agents/alpha'), { recursive: true });
  writeFileSync(join(workspace, 'agents/alpha/notes'), 'kept');
  const { directory, prepare } = agentsDirectoryOf(workspace, env, 'linux');
  prepare();
  prepare();
  expect(readFileSync(join(directory, 'alpha/notes'), 'utf8')).toBe('kept');
  expect(existsSync(join(workspace, 'agents'))).toBe(false);
});
