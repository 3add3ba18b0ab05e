import type { WireEvent } from '../../src/client/index.ts';
import { type House, HUMAN } from './house.ts';

/** Reads along in a thread until an event is what is waited for, or evidently will not come. */
export async function waitForEvent(
  house: House,
  thread: string,
  isIt: (event: WireEvent) => boolean,
  ms = 20_000,
): Promise<WireEvent | undefined> {
  const end = performance.now() + ms;
  let after: string | undefined;
  while (performance.now() < end) {
    const human = await house.as(HUMAN);
    const page = await human.thread(thread).events({ ...(after !== undefined && { after }), wait: 1, limit: 1000 });
    const found = page.events.find(isIt);
    if (found) return found;
    after = page.cursor;
  }
  return undefined;
}

/** Until nobody in these threads is at work any more, or evidently never. */
export async function waitUntilIdle(house: House, threads: readonly string[], ms = 15_000): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const human = await house.as(HUMAN);
    const rows = await Promise.all(threads.map((id) => human.thread(id).get()));
    if (!rows.some(({ thread }) => thread.working)) return;
    await human.events({ after: 'head', wait: 0.2 });
  }
}

/** So many at once, as a client that has lost its temper does. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>) {
  const waiting = [...items];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

export function repeat<T>(count: number, make: (i: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
