import type { WirePresence } from '../../../../src/protocol/threads.ts';

/** Whether someone is there, in words that say how we know (T3). Who is not there has none. */
export function presenceText(presence: WirePresence | undefined): string {
  if (!presence || presence.state === 'offline') return presence?.reach === 'wakeable' ? 'wakeable' : '';
  if (presence.reach === 'live') return `live, ${presence.state}`;
  return presence.reach === 'declared' ? `declared ${presence.state}` : presence.reach;
}
