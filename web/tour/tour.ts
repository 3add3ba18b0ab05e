import { browserStorage } from '../data/browser-storage.ts';
import { client } from '../data/session.ts';
import { createStore } from '../data/store.ts';
import { addRow, threadRows } from '../data/workspace.ts';
import { navigate, threadPath } from '../shell/address.ts';
import { KINDS, type ThreadKind } from '../ui/kinds.ts';

/** A step for each kind of thread, and one for any place; their words are loaded with the tour (steps.ts). */
const STEP_COUNT = KINDS.length + 1;

/** Progress in the tour of the sample, and the sample's threads. */
export interface Tour {
  readonly step: number;
  readonly threads: Readonly<Record<ThreadKind, string>>;
}

/** Undefined while no tour is running: a tour starts only on request, never by itself. */
export const tour = createStore<Tour | undefined>(browserStorage.tour<Tour>());

/** Creates the sample if there is none yet, and starts the tour in it. */
export async function beginTour(): Promise<void> {
  const { threads } = await client.sample();
  const responses = await Promise.all(threads.map(({ id }) => client.thread(id).get()));
  for (const { thread } of responses) addRow(thread);
  const byKind = Object.fromEntries(threads.map(({ kind, id }) => [kind, id])) as Tour['threads'];
  goToStep({ step: 0, threads: byKind });
}

export function nextStep(): void {
  const current = tour.get();
  if (!current) return;
  if (current.step + 1 < STEP_COUNT) goToStep({ ...current, step: current.step + 1 });
  else leaveTour();
}

export function leaveTour(): void {
  tour.set(undefined);
  browserStorage.setTour(undefined);
}

/** The thread of the current step; undefined if any place will do, or if this workspace has no such thread. */
export function tourThread({ step, threads }: Tour) {
  const kind = KINDS[step]?.kind;
  return kind && threadRows.get()?.get(threads[kind]);
}

function goToStep(next: Tour): void {
  tour.set(next);
  browserStorage.setTour(next);
  const row = tourThread(next);
  if (row) navigate(threadPath(row));
}
