import { kept } from '../data/browser-storage.ts';
import { client } from '../data/session.ts';
import { createStore } from '../data/store.ts';
import { addRow, rows } from '../data/workspace.ts';
import { go, pathTo } from '../shell/address.ts';
import type { Kind } from '../ui/kinds.ts';
import { STEPS } from './steps.ts';

/** How far somebody is in the tour of the sample, and where the sample's threads are. */
export interface Tour {
  readonly step: number;
  readonly threads: Readonly<Record<Kind, string>>;
}

/** Undefined while nobody takes it: it begins when it is asked for, and never by itself. */
export const tour = createStore<Tour | undefined>(kept.tour<Tour>());

/** Makes the sample where there is none yet, and begins in it. */
export async function beginTour(): Promise<void> {
  const { threads } = await client.sample();
  const now = await Promise.all(threads.map(({ id }) => client.thread(id).get()));
  for (const { thread } of now) addRow(thread);
  const byKind = Object.fromEntries(threads.map(({ kind, id }) => [kind, id])) as Tour['threads'];
  to({ step: 0, threads: byKind });
}

export function nextStep(): void {
  const now = tour.get();
  if (!now) return;
  if (now.step + 1 < STEPS.length) to({ ...now, step: now.step + 1 });
  else leaveTour();
}

export function leaveTour(): void {
  tour.set(undefined);
  kept.keepTour(undefined);
}

/** The thread the tour is in now; undefined where any place will do, or where this workspace has no such thread. */
export function threadOf({ step, threads }: Tour) {
  const kind = STEPS[step]?.kind;
  return kind && rows.get()?.get(threads[kind]);
}

function to(next: Tour): void {
  tour.set(next);
  kept.keepTour(next);
  const row = threadOf(next);
  if (row) go(pathTo(row));
}
