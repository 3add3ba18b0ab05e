import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDirectory, start } from '../../test/support/heddle.ts';

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
  expect(complete('re')).toEqual(['read', 'rebuild', 'repair', 'restore', 'resume']);
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

test('[I3] the scripts for zsh and fish know every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { out, code } = await start(['completion', shell]).ended;
    expect(code).toBe(0);
    for (const word of ['serve', 'threads', 'reply-to', 'behind-proxy']) expect(out).toContain(word);
  }
});
