import type { WirePresence } from '../../../../src/protocol/threads.ts';

/** A participant's presence, in words that say how it is known (T3). Empty if offline and not wakeable. */
export function presenceText(presence: WirePresence | undefined): string {
  if (!presence || presence.state === 'offline') return presence?.reach === 'wakeable' ? 'wakeable' : '';
  if (presence.reach === 'live') return `live, ${presence.state}`;
  return presence.reach === 'declared' ? `declared ${presence.state}` : presence.reach;
}
