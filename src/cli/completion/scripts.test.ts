import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryOf, newDirectory, newWorkspace, start } from '../../../test/support/program/heddle.ts';

/** What bash offers behind these words. */
async function bashFor(program: 'heddle' | 'mind') {
  const { out } = await start(['completion', 'bash'], { program }).ended;
  const file = join(newDirectory(), `${program}.bash`);
  writeFileSync(file, out);
  return (...words: string[]) => {
    const typed = [program, ...words].map((word) => `'${word}'`).join(' ');
    const script = `source ${file}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _${program}; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split(' ').sort();
  };
}

test('[I3] the script for bash completes commands, subcommands and options', async () => {
  const complete = await bashFor('heddle');
  expect(complete('re')).toEqual(['read', 'rebuild', 'repair', 'restore', 'result', 'resume']);
  expect(complete('threads', '')).toEqual(expect.arrayContaining(['fork', 'list', 'new', 'rename', '--json']));
  expect(complete('threads', 'fork', 'Garden', '--a')).toEqual(['--at']);
  expect(complete('post', 'Garden', '--r')).toEqual(['--reply-to']);
});

test('[I3] [C7] under its other name the program completes the commands it has there', async () => {
  const complete = await bashFor('mind');
  expect(complete('st')).toEqual(['status', 'steer', 'step', 'stop']);
  expect(complete('drafts', '')).toEqual(expect.arrayContaining(['archive', 'diff', 'list', 'seen', '--thread']));
  expect(complete('accept', '--e')).toEqual(['--edit-file']);
});

test('[I3] titles of threads are completed where a thread is expected, blanks and all', async () => {
  const { path, ok } = newWorkspace();
  for (const title of ['Garden plans', 'Garden "walls"', 'Pond']) await ok('threads', 'new', title);
  await ok('loom', 'new', 'Garden poem');
  const directory = newDirectory();
  writeFileSync(join(directory, 'heddle'), `#!/bin/sh\nexec '${process.execPath}' '${entryOf('heddle')}' "$@"\n`, {
    mode: 0o755,
  });
  const file = join(directory, 'completion.bash');
  writeFileSync(file, (await ok('completion', 'bash')).out);
  const titles = (...words: string[]) => {
    const typed = ['heddle', ...words].map((word) => `'${word}'`).join(' ');
    const script = `source ${file}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _heddle; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${directory}:${process.env.PATH}`, HEDDLE_WORKSPACE: path };
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('--'));
  };
  expect(titles('read', 'Gar').sort()).toEqual(['Garden "walls"', 'Garden plans', 'Garden poem']);
  expect(titles('read', '"Garden p').sort()).toEqual(['Garden plans', 'Garden poem']);
  expect(titles('threads', 'fork', 'Po')).toEqual(['Pond']);
  expect(titles('post', 'Pond', 'Gar')).toEqual([]);
  expect(titles('search', 'Gar')).toEqual([]);
  const nowhere = join(newDirectory(), 'none');
  const { out, err, code } = await start(['completion', 'titles', '--workspace', nowhere]).ended;
  expect([out, err, code, existsSync(nowhere)]).toEqual(['', '', 0, false]);
});

test('[I3] the scripts for zsh and fish know every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { out, code } = await start(['completion', shell]).ended;
    expect(code).toBe(0);
    for (const word of ['serve', 'threads', 'reply-to', 'behind-proxy', 'completion titles'])
      expect(out).toContain(word);
  }
});
