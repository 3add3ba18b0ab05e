// A real terminal: keys go in, what a person would see comes out.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { newDirectory } from './heddle.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('tmux is not installed: nothing is tested on a terminal. Install tmux to test it.');

export function terminal(command: readonly string[], env: Readonly<Record<string, string>>, columns = 90) {
  const socket = join(newDirectory(), 'tmux');
  const tmux = (...words: string[]) =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' });
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const begun = tmux('new-session', '-d', '-x', String(columns), '-y', '24', ...variables, '--', ...command);
  expect(begun.stderr).toBe('');
  onTestFinished(() => void tmux('kill-server'));
  const screen = () => tmux('capture-pane', '-p').stdout;
  return {
    screen,
    press: (...keys: string[]) => void tmux('send-keys', ...keys),
    shows: (pattern: RegExp) => vi.waitFor(() => expect(screen()).toMatch(pattern), { timeout: 30_000, interval: 200 }),
    ends: () => vi.waitFor(() => expect(tmux('list-sessions').status).not.toBe(0), { timeout: 30_000, interval: 200 }),
  };
}
