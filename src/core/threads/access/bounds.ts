import { DEFAULT_AGENT_LIMITS } from '../../agent-limits.ts';
import type { Context, World } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { ControlPosted, DraftProposed } from '../events.ts';
import type { ThreadState } from '../state.ts';

/** Limits for everything that grows with a thread and is copied, sent or scanned repeatedly (T23). */
export const MAX_PARTICIPANTS = 1000;
export const MAX_OPEN_TASKS = 100;
export const MAX_OPEN_SIDES = 100;
/** Characters in the open drafts of one agent in a thread: everyone who views the thread gets them all. */
const MAX_DRAFT_CHARS = 4 * 1024 * 1024;

/** Refuses events that would make a thread grow beyond its limits. */
export function checkBounds(
  world: World<ThreadState>,
  events: readonly NewEvent[],
  context: Context,
): Refusal | undefined {
  const newThreads = new Set(events.filter(({ type }) => type === 'thread.created').map(({ thread }) => thread));
  for (const event of events) {
    // New threads are small, so they are not checked.
    if (!BOUNDED_TYPES.has(event.type) || newThreads.has(event.thread)) continue;
    const state = world.thread(event.thread);
    const refusal = state && (checkParticipantLimit(state, event, context) ?? checkAgentLimits(state, event, context));
    if (refusal) return refusal;
  }
  return undefined;
}

const BOUNDED_TYPES = new Set(['message', 'control', 'task', 'result', 'draft.proposed', 'side.opened']);

/** Nobody can invite into a full thread, and no new agent can speak in it; a human always can speak. */
function checkParticipantLimit(state: ThreadState, event: NewEvent, { actor }: Context): Refusal | undefined {
  const control = ControlPosted.contentOf(event);
  const writer = actor.kind === 'human' ? undefined : actor.id;
  const newcomer = control && 'invite' in control ? control.invite.participant_id : writer;
  if (newcomer === undefined || Object.hasOwn(state.participants, newcomer)) return undefined;
  if (Object.keys(state.participants).length < MAX_PARTICIPANTS) return undefined;
  return refuseOverLimit(
    `"${state.title}" has ${MAX_PARTICIPANTS} participants, which is the limit. ${newcomer} was not added; use another thread.`,
    state,
    actor.id,
  );
}

function checkAgentLimits(state: ThreadState, event: NewEvent, { actor, agentLimits }: Context): Refusal | undefined {
  if (actor.kind === 'human') return undefined;
  const refuseAtLimit = (message: string) => refuseOverLimit(message, state, actor.id);
  const { type } = event;
  const draft = DraftProposed.contentOf(event);
  if (draft) {
    const { openDrafts } = agentLimits?.() ?? DEFAULT_AGENT_LIMITS;
    const ownDrafts = Object.values(state.drafts.open).filter(({ participant }) => participant === actor.id);
    const chars = ownDrafts.reduce((sum, { text }) => sum + text.length, draft.text.length);
    if (ownDrafts.length < openDrafts && chars <= MAX_DRAFT_CHARS) return undefined;
    const amount = ownDrafts.length < openDrafts ? '4 MB of drafts' : `${openDrafts} drafts`;
    return refuseAtLimit(
      `${actor.id} has ${amount} waiting in "${state.title}", which is the limit. The draft was not stored; send it again after a human has posted or dismissed some.`,
    );
  }
  if (type === 'task') {
    if (countMatching(state.openTasks, ({ author }) => author === actor.id) < MAX_OPEN_TASKS) return undefined;
    return refuseAtLimit(
      `${MAX_OPEN_TASKS} tasks of ${actor.id} are open in "${state.title}", which is the limit. Nothing was posted; cancel some, or wait for their results.`,
    );
  }
  if (type === 'side.opened' && Object.keys(state.openSides).length >= MAX_OPEN_SIDES) {
    return refuseAtLimit(
      `"${state.title}" has ${MAX_OPEN_SIDES} open side channels, the limit for agents. Nothing was opened; close some first.`,
    );
  }
  return undefined;
}

function countMatching<T>(record: Readonly<Record<string, T>>, matches: (value: T) => boolean): number {
  return Object.values(record).filter(matches).length;
}

function refuseOverLimit(message: string, { id }: ThreadState, participant: string): Refusal {
  return refuse('limit_reached', message, { thread: id, participant });
}
