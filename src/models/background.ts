import { setPriority } from 'node:os';

const POLITE = 5;

/**
 * Lets the thread that calls this wait for others when processors are scarce: whoever writes should not notice that a
 * model is at work. Only on Linux does a thread have a priority of its own; elsewhere this would slow the whole program.
 */
export function workInBackground(): void {
  if (process.platform === 'linux') setPriority(POLITE);
}
