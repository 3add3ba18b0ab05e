import type { WireEvent } from '../../src/protocol/wire.ts';

/** How many of these events are news to the person: what others wrote, and what asks for them. */
export function countUnread(events: readonly WireEvent[], me: string): number {
  return events.filter((event) => event.from !== me && countsAsUnread(event, me)).length;
}

function countsAsUnread({ type, content }: WireEvent, me: string): boolean {
  if (type === 'message' || type === 'task' || type === 'result' || type === 'draft.proposed') return true;
  if (type !== 'control' || typeof content !== 'object' || content === null) return false;
  const { prod, invite } = content as { prod?: readonly string[]; invite?: { participant_id: string } };
  return prod?.includes(me) === true || invite?.participant_id === me;
}
