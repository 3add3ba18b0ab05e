import { type Event, SYSTEM } from '../../events/event.ts';
import { getOwn } from '../../util/get-own.ts';
import { mentionsIn } from '../participants/mentions.ts';
import type { Control } from '../schema.ts';
import type { PendingRequest, ThreadState } from '../state.ts';

/** So many may be waited for at once; beyond that the oldest is given up. */
const MAX_REQUESTS = 8;

/** Who was asked for by name and has not written since; who is known to be an agent is woken instead (T14). */
export function trackRequests(state: ThreadState, event: Event): ThreadState {
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

/** Since the workspace reports what came of a wake in its own name, the report says of whom. */
function answererOf({ type, from, content }: Event): string {
  return type === 'wake.closed' && from === SYSTEM.id ? (content as { participant: string }).participant : from;
}

function idsRequestedBy(state: ThreadState, { type, to, content }: Event): readonly string[] {
  switch (type) {
    case 'message':
    case 'task':
    case 'result': {
      const addressed = to === 'all' ? [] : [to].flat();
      const text = type === 'message' && typeof content === 'string' ? content : '';
      return text.includes('@') ? [...new Set([...addressed, ...mentionsIn(state, text).ids])] : addressed;
    }
    case 'control': {
      const control = content as unknown as Control;
      if ('prod' in control) return control.prod;
      return 'invite' in control ? [control.invite.participant_id] : [];
    }
    default:
      return [];
  }
}

function requestKindOf({ type, content }: Event): PendingRequest['as'] {
  if (type !== 'control') return type as PendingRequest['as'];
  return 'prod' in (content as object) ? 'prod' : 'invite';
}

function mayBeHuman({ participants }: ThreadState, id: string): boolean {
  const kind = getOwn(participants, id)?.profile.kind;
  return kind === undefined || kind === 'human';
}
