import { constants, getPriority, setPriority } from 'node:os';

const NICENESS = 5;
const LOWEST_PRIORITY = constants.priority.PRIORITY_LOW;

/**
 * Lets the thread that calls this wait for others when processors are scarce: whoever writes should not notice that a
 * model is at work. More so than the program itself, which may have been started to wait: going back is for root only.
 * Only on Linux does a thread have a priority of its own; elsewhere this would slow the whole program.
 */
export function workInBackground(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICENESS, LOWEST_PRIORITY));
}
