import { controlOf } from '../../src/core/threads/content.ts';
import type { WireEvent } from '../../src/protocol/wire.ts';

/** The number of events that count as unread for the person: what others wrote, and requests to them. */
export function countUnread(events: readonly WireEvent[], me: string): number {
  return events.filter((event) => event.from !== me && countsAsUnread(event, me)).length;
}

function countsAsUnread(event: WireEvent, me: string): boolean {
  const { type } = event;
  if (type === 'message' || type === 'task' || type === 'result' || type === 'draft.proposed') return true;
  const control = controlOf(event);
  if (!control) return false;
  return 'prod' in control ? control.prod.includes(me) : 'invite' in control && control.invite.participant_id === me;
}
