/** How a participant is there: online, available to be woken, or as it last said of itself (T3). Empty if it is not. */
export function describePresence(presence: { readonly state: string; readonly reach: string } | undefined): string {
  if (presence?.reach === 'wakeable') return 'available';
  if (!presence || presence.state === 'offline') return '';
  if (presence.reach !== 'live') return presence.state;
  return presence.state === 'listening' ? 'online' : `online, ${presence.state}`;
}
