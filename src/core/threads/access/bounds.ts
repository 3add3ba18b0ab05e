import { AGENT_LIMITS } from '../../agent-limits.ts';
import type { Context, World } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Control } from '../schema.ts';
import type { ThreadState } from '../state.ts';

/** What grows with a thread and is copied, sent or looked through again and again has an end (T23). */
export const MOST_PARTICIPANTS = 1000;
export const MOST_OPEN_TASKS = 100;
export const MOST_OPEN_SIDES = 100;
/** Letters of the drafts that one agent has waiting in a thread: whoever looks at the thread is sent them all. */
const MOST_DRAFTED = 4 * 1024 * 1024;

/** Why what was decided would make a thread grow beyond its bounds, if it would. */
export function beyondBounds(
  world: World<ThreadState>,
  events: readonly NewEvent[],
  context: Context,
): Refusal | undefined {
  const created = new Set(events.filter(({ type }) => type === 'thread.created').map(({ thread }) => thread));
  for (const event of events) {
    // A new thread is small.
    if (!BOUNDED.has(event.type) || created.has(event.thread)) continue;
    const state = world.thread(event.thread);
    const refusal = state && (crowded(state, event, context) ?? tooMany(state, event, context));
    if (refusal) return refusal;
  }
  return undefined;
}

const BOUNDED = new Set(['message', 'control', 'task', 'result', 'draft.proposed', 'side.opened']);

/** Nobody can invite into a full thread, and no new agent can speak in it; a human always can. */
function crowded(state: ThreadState, event: NewEvent, { actor }: Context): Refusal | undefined {
  const joining = isInvite(event) ? event.content.invite.participant_id : actor.kind === 'human' ? undefined : actor.id;
  if (joining === undefined || Object.hasOwn(state.participants, joining)) return undefined;
  if (Object.keys(state.participants).length < MOST_PARTICIPANTS) return undefined;
  return limitReached(
    `"${state.title}" has ${MOST_PARTICIPANTS} participants, and no more fit in. ${joining} was not added; use another thread.`,
    state,
    actor.id,
  );
}

function tooMany(
  state: ThreadState,
  { type, content }: NewEvent,
  { actor, agentLimits }: Context,
): Refusal | undefined {
  if (actor.kind === 'human') return undefined;
  const reached = (message: string) => limitReached(message, state, actor.id);
  if (type === 'draft.proposed') {
    const { openDrafts } = agentLimits?.() ?? AGENT_LIMITS;
    const waiting = Object.values(state.drafts.open).filter(({ participant }) => participant === actor.id);
    const letters = waiting.reduce((sum, { text }) => sum + text.length, (content as { text: string }).text.length);
    if (waiting.length < openDrafts && letters <= MOST_DRAFTED) return undefined;
    const what = waiting.length < openDrafts ? '4 MB of drafts' : `${openDrafts} drafts`;
    return reached(
      `${actor.id} has ${what} waiting in "${state.title}", and may have no more. The draft was not kept; send it again when a human has posted or dismissed some.`,
    );
  }
  if (type === 'task') {
    if (count(state.openTasks, ({ author }) => author === actor.id) < MOST_OPEN_TASKS) return undefined;
    return reached(
      `${MOST_OPEN_TASKS} tasks of ${actor.id} are open in "${state.title}", and there may be no more. Nothing was posted; cancel some, or wait for their results.`,
    );
  }
  if (type === 'side.opened' && Object.keys(state.openSides).length >= MOST_OPEN_SIDES) {
    return reached(
      `"${state.title}" has ${MOST_OPEN_SIDES} open side channels, and agents may open no more. Nothing was opened; close some first.`,
    );
  }
  return undefined;
}

function isInvite(event: NewEvent): event is NewEvent & { content: Extract<Control, { invite: unknown }> } {
  return event.type === 'control' && 'invite' in (event.content as unknown as Control);
}

function count<T>(record: Readonly<Record<string, T>>, matches: (value: T) => boolean): number {
  return Object.values(record).filter(matches).length;
}

function limitReached(message: string, { id }: ThreadState, participant: string): Refusal {
  return refuse('limit_reached', message, { thread: id, participant });
}
