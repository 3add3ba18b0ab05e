import { isRefusal } from '../../src/core/refusal.ts';
import { cursorOf, placeOf } from '../../src/protocol/cursor.ts';
import { kept } from './browser-storage.ts';
import { client } from './session.ts';

/** Reading goes on while it is told: one word for several events. */
const LATER_MS = 500;
const waiting = new Map<string, number>();

/** What was read in another browser is not new in this one (T20). */
export async function learnMarks(): Promise<void> {
  const { marks } = await client.readMarks();
  const seen = new Map(Object.entries(kept.seen()));
  for (const [thread, cursor] of Object.entries(marks)) {
    const place = placeOf('thread', cursor);
    if (!isRefusal(place)) seen.set(thread, Math.max(seen.get(thread) ?? 0, place));
  }
  kept.keepSeen(Object.fromEntries(seen));
}

/** Tells the workspace how far this person has read, for their other browsers. */
export function tellRead(thread: string, seq: number): void {
  const isNew = !waiting.has(thread);
  waiting.set(thread, seq);
  if (isNew) setTimeout(() => void send(thread), LATER_MS);
}

async function send(thread: string): Promise<void> {
  const seq = waiting.get(thread) ?? 0;
  waiting.delete(thread);
  await client
    .thread(thread)
    .markRead(cursorOf('thread', seq))
    .catch(() => {}); // Kept here as well; the next one is told again.
}
