import { isRefusal } from '../../src/core/refusal.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { browserStorage } from './browser-storage.ts';
import { client } from './session.ts';

/** Reading continues during this delay, so that one request covers several events. */
const DELAY_MS = 500;
const pendingMarks = new Map<string, number>();

/** Events read in another browser count as read in this one too (T20). */
export async function loadReadMarks(): Promise<void> {
  const { marks } = await client.readMarks();
  const merged = new Map(Object.entries(browserStorage.readMarks()));
  for (const [thread, cursor] of Object.entries(marks)) {
    const place = parseCursor('thread', cursor);
    if (!isRefusal(place)) merged.set(thread, Math.max(merged.get(thread) ?? 0, place));
  }
  browserStorage.setReadMarks(Object.fromEntries(merged));
}

/** Tells the workspace how far this person has read, for their other browsers. */
export function queueReadMark(thread: string, seq: number): void {
  if (pendingMarks.size === 0) {
    setTimeout(sendReadMarks, DELAY_MS);
    addEventListener('pagehide', sendReadMarks, { once: true });
  }
  pendingMarks.set(thread, seq);
}

function sendReadMarks(): void {
  for (const [thread, seq] of pendingMarks)
    client
      .thread(thread)
      .markRead(cursorOf('thread', seq))
      .catch(() => {}); // The mark is also stored in this browser, and the next one replaces it on the server.
  pendingMarks.clear();
}
