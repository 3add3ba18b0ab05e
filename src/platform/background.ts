import { constants, getPriority, setPriority } from 'node:os';

const NICENESS = 5;
const LOWEST_PRIORITY = constants.priority.PRIORITY_LOW;

/**
 * Lowers the calling thread's priority, so that writing stays smooth while a model runs. The priority is relative to
 * the program's own, which may already be low: only root can raise it again. Only on Linux does a thread have its own
 * priority; elsewhere this would slow the whole program.
 */
export function workInBackground(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICENESS, LOWEST_PRIORITY));
}
