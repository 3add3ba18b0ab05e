import { SYSTEM } from '../../events/event.ts';
import { getOwn } from '../../util/get-own.ts';
import type { ThreadEvent } from '../events.ts';
import { mentionsIn } from '../participants/mentions.ts';
import type { ThreadState } from '../state.ts';
import type { PendingRequest } from '../view/schema.ts';

/** Maximum number of open requests; beyond it, the oldest is dropped. */
const MAX_REQUESTS = 8;

/** Tracks participants that were addressed by name and have not written since. Known agents are woken instead (T14). */
export function trackRequests(state: ThreadState, event: ThreadEvent): ThreadState {
  const { asked: requests } = state;
  const writer = answererOf(event);
  const hasAnswered = Object.hasOwn(requests, writer);
  const requestedIds = idsRequestedBy(state, event).filter((id) => id !== writer && mayBeHuman(state, id));
  if (!hasAnswered && requestedIds.length === 0) return state;
  const { id, seq, from, ts } = event;
  const remaining = Object.entries(requests).filter(([name]) => name !== writer && !requestedIds.includes(name));
  const newRequests = requestedIds.map(
    (name) => [name, { event: id, seq, by: from, as: requestKindOf(event), ts }] as const,
  );
  return { ...state, asked: Object.fromEntries([...remaining, ...newRequests].slice(-MAX_REQUESTS)) };
}

/** The participant that wrote. A `wake.closed` event from the workspace names the participant it reports on. */
function answererOf(event: ThreadEvent): string {
  return event.type === 'wake.closed' && event.from === SYSTEM.id ? event.content.participant : event.from;
}

function idsRequestedBy(state: ThreadState, event: ThreadEvent): readonly string[] {
  switch (event.type) {
    case 'message':
    case 'task':
    case 'result': {
      const addressed = event.to === 'all' ? [] : [event.to].flat();
      const text = event.type === 'message' && typeof event.content === 'string' ? event.content : '';
      return text.includes('@') ? [...new Set([...addressed, ...mentionsIn(state, text).ids])] : addressed;
    }
    case 'control': {
      const { content } = event;
      if ('prod' in content) return content.prod;
      return 'invite' in content ? [content.invite.participant_id] : [];
    }
    default:
      return [];
  }
}

function requestKindOf(event: ThreadEvent): PendingRequest['as'] {
  if (event.type !== 'control') return event.type as PendingRequest['as'];
  return 'prod' in event.content ? 'prod' : 'invite';
}

function mayBeHuman({ participants }: ThreadState, id: string): boolean {
  const kind = getOwn(participants, id)?.profile.kind;
  return kind === undefined || kind === 'human';
}
