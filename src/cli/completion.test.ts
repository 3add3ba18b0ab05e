import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDirectory, start } from '../../test/support/heddle.ts';

test('[I3] the script for bash completes commands, subcommands and options', async () => {
  const { out } = await start(['completion', 'bash']).ended;
  const file = join(newDirectory(), 'heddle.bash');
  writeFileSync(file, out);
  const complete = (...words: string[]) => {
    const typed = ['heddle', ...words].map((word) => `'${word}'`).join(' ');
    const script = `source ${file}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _heddle; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split(' ').sort();
  };
  expect(complete('re')).toEqual(['read', 'rebuild', 'restore']);
  expect(complete('threads', '')).toEqual(expect.arrayContaining(['fork', 'list', 'new', 'rename', '--json']));
  expect(complete('threads', 'fork', 'Garden', '--a')).toEqual(['--at']);
  expect(complete('post', 'Garden', '--r')).toEqual(['--reply-to']);
});

test('[I3] the scripts for zsh and fish know every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { out, code } = await start(['completion', shell]).ended;
    expect(code).toBe(0);
    for (const word of ['serve', 'threads', 'reply-to', 'behind-proxy']) expect(out).toContain(word);
  }
});
