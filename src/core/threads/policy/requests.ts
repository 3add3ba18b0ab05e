import { type Event, SYSTEM } from '../../events/event.ts';
import { own } from '../../util/get-own.ts';
import { mentionsIn } from '../participants/mentions.ts';
import type { Control } from '../schema.ts';
import type { Asked, ThreadState } from '../state.ts';

/** So many may be waited for at once; beyond that the oldest is given up. */
const MOST = 8;

/** Who was asked for by name and has not written since; who is known to be an agent is woken instead (T14). */
export function asking(state: ThreadState, event: Event): ThreadState {
  const { asked } = state;
  const writer = whoAnswered(event);
  const answered = Object.hasOwn(asked, writer);
  const names = askedBy(state, event).filter((id) => id !== writer && mayBeHuman(state, id));
  if (!answered && names.length === 0) return state;
  const { id, seq, from, ts } = event;
  const entries = Object.entries(asked).filter(([name]) => name !== writer && !names.includes(name));
  const added = names.map((name) => [name, { event: id, seq, by: from, as: how(event), ts }] as const);
  return { ...state, asked: Object.fromEntries([...entries, ...added].slice(-MOST)) };
}

/** Since the workspace reports what came of a wake in its own name, the report says of whom. */
function whoAnswered({ type, from, content }: Event): string {
  return type === 'wake.closed' && from === SYSTEM.id ? (content as { participant: string }).participant : from;
}

function askedBy(state: ThreadState, { type, to, content }: Event): readonly string[] {
  switch (type) {
    case 'message':
    case 'task':
    case 'result': {
      const named = to === 'all' ? [] : [to].flat();
      const text = type === 'message' && typeof content === 'string' ? content : '';
      return text.includes('@') ? [...new Set([...named, ...mentionsIn(state, text).ids])] : named;
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

function how({ type, content }: Event): Asked['as'] {
  if (type !== 'control') return type as Asked['as'];
  return 'prod' in (content as object) ? 'prod' : 'invite';
}

function mayBeHuman({ participants }: ThreadState, id: string): boolean {
  const kind = own(participants, id)?.profile.kind;
  return kind === undefined || kind === 'human';
}
