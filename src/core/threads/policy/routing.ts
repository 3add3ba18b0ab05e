import type { EventOf } from '../../events/define.ts';
import type { Event } from '../../events/event.ts';
import { readEvent } from '../../events/read.ts';
import { extendWait } from '../../runs/wait.ts';
import { getOwn } from '../../util/get-own.ts';
import type { ControlPosted, SideOpened, ThreadEvent, ThreadForked, ThreadOpened, WakeWaiting } from '../events.ts';
import type { Routing, ThreadState, Wake, WakeCount, WakeUsage } from '../state.ts';
import { causeOfEvent, type Delivery, decideDeliveries, MAX_ROOTS } from './policy.ts';

const MAX_PENDING = 16;
const MAX_STOPPED = 64;

/**
 * Records in the state whom an event wakes: the decision is made once, and stays available as long as the event does.
 */
export function routeEvent(previous: ThreadState, state: ThreadState, event: ThreadEvent): ThreadState {
  switch (event.type) {
    case 'message':
    case 'task':
      return recordDeliveries(previous, closeAnswered(state, event), event);
    case 'result':
      return closeAnswered(state, event);
    case 'control':
      return routeControl(previous, state, event);
    case 'side.opened':
    case 'thread.forked':
    case 'thread.opened':
      return spendInheritedWakes(state, event);
    case 'side.closed':
      return clearWakes(state);
    case 'wake.waiting':
      return recordWait(state, event);
    case 'wake.closed':
      return closeWakes(state, event.content);
    default:
      return state;
  }
}

/** Deliveries of the event that led to this state. */
export function deliveriesFor(state: ThreadState, event: Event): readonly Delivery[] {
  const { last } = state.routing;
  return last?.event === event.id ? last.decisions : decideDeliveries(state, readEvent(event), event.ts);
}

function routeControl(previous: ThreadState, state: ThreadState, event: EventOf<typeof ControlPosted>): ThreadState {
  const control = event.content;
  if ('prod' in control || 'invite' in control) return recordDeliveries(previous, state, event);
  if ('continue' in control) return continueStopped(state);
  if ('done' in control) return clearWakes(state);
  if ('pause' in control) return clearWaits(state);
  if ('mute' in control) return removeWakes(state, control.mute.targets);
  if ('uninvite' in control) return removeWakes(state, [control.uninvite.participant_id]);
  return state;
}

function recordDeliveries(previous: ThreadState, state: ThreadState, event: ThreadEvent): ThreadState {
  const decisions = decideDeliveries(state, event, event.ts, previous.participants);
  if (decisions.length === 0) return state;
  const cause = causeOfEvent(state, event);
  let routing: Routing = { ...state.routing, last: { event: event.id, decisions } };
  const first = decisions.find(({ decision }) => decision === 'wake')?.participant;
  const about = askedAgainAbout(event);
  const wakes: [participant: string, wake: Wake][] = [];
  for (const { participant, decision, code, reason } of decisions) {
    if (decision !== 'no') {
      const behind = code === 'queued' && first !== undefined ? { behind: first } : {};
      const wake = { event: event.id, seq: event.seq, cause: { root: cause.root, depth: cause.depth + 1 }, reason };
      wakes.push([participant, { ...wake, ...behind, ...(about !== undefined && { about }) }]);
    } else if (code === 'hop_limit') {
      const stop = { participant, event: event.id, seq: event.seq, cause, reason };
      routing = { ...routing, stopped: [...routing.stopped, stop].slice(-MAX_STOPPED) };
    }
  }
  if (wakes.length === 0) return { ...state, routing };
  routing = addWakes(routing, wakes);
  const wokenIds = wakes.map(([participant]) => participant);
  if (event.meta.by !== 'human') routing = { ...routing, spent: countWakes(routing.spent, cause.root, wokenIds) };
  return { ...state, routing };
}

/** The event that a prod asks to answer again (T39). */
export function askedAgainAbout(event: ThreadEvent): string | undefined {
  return event.type === 'control' && 'prod' in event.content ? event.meta.reply_to : undefined;
}

/** Adds all wakes at once, so that the maps are copied once per event and not once per wake. */
function addWakes(routing: Routing, newWakes: readonly (readonly [participant: string, wake: Wake])[]): Routing {
  const wakes = new Map(Object.entries(routing.wakes));
  const causes = new Map(Object.entries(routing.causes));
  for (const [participant, wake] of newWakes) {
    wakes.set(participant, [...(wakes.get(participant) ?? []), wake].slice(-MAX_PENDING));
    causes.set(participant, wake.cause);
  }
  return { ...routing, wakes: Object.fromEntries(wakes), causes: Object.fromEntries(causes) };
}

function countWakes(
  wakeCounts: readonly WakeCount[],
  root: string,
  participants: readonly string[],
): readonly WakeCount[] {
  const existing = wakeCounts.find((each) => each.root === root) ?? { root, wakes: 0, each: {} };
  const each = new Map(Object.entries(existing.each));
  for (const participant of participants) each.set(participant, (each.get(participant) ?? 0) + 1);
  const wakes = existing.wakes + participants.length;
  return [...wakeCounts.filter((other) => other !== existing), { root, wakes, each: Object.fromEntries(each) }].slice(
    -MAX_ROOTS,
  );
}

/** A human lets stopped agents continue: the count starts over, as if the human had written the message (T16). */
function continueStopped(state: ThreadState): ThreadState {
  const roots = new Set([...state.routing.stopped.map(({ cause }) => cause.root), state.madeFor?.root]);
  const wakeCounts = state.routing.spent.filter(({ root }) => !roots.has(root));
  const { madeFor: _, ...adopted } = state;
  let routing: Routing = { ...state.routing, spent: wakeCounts, stopped: [] };
  for (const { participant, event, seq, cause } of state.routing.stopped) {
    if (!getOwn(state.participants, participant)?.invited || getOwn(state.muted, participant)) continue;
    const newCause = { root: cause.root, depth: 1 };
    routing = addWakes(routing, [[participant, { event, seq, cause: newCause, reason: 'a human let it continue' }]]);
    routing = { ...routing, spent: countWakes(routing.spent, cause.root, [participant]) };
  }
  return { ...adopted, routing };
}

/**
 * Wakes that an agent transfers to a thread it makes count as spent here, or agents could make threads without end
 * (T16).
 */
function spendInheritedWakes(
  state: ThreadState,
  event: EventOf<typeof SideOpened | typeof ThreadForked | typeof ThreadOpened>,
): ThreadState {
  const members = event.type === 'side.opened' ? event.content.members : [];
  const { wakes = members.length } = event.content;
  if (event.meta.by === 'human' || wakes === 0) return state;
  const { root } = causeOfEvent(state, event);
  const existing = state.routing.spent.find((other) => other.root === root) ?? { root, wakes: 0, each: {} };
  const each = { ...existing.each };
  for (const member of members) each[member] = (each[member] ?? 0) + 1;
  const others = state.routing.spent.filter((other) => other !== existing);
  const wakeCounts = [...others, { root, wakes: existing.wakes + wakes, each }].slice(-MAX_ROOTS);
  return { ...state, routing: { ...state.routing, spent: wakeCounts } };
}

/** Cancels all pending answers. */
function clearWakes(state: ThreadState): ThreadState {
  return { ...state, routing: { ...state.routing, wakes: {} } };
}

function closeWakes(state: ThreadState, { participant, up_to }: { participant: string; up_to: number }): ThreadState {
  const remaining = (getOwn(state.routing.wakes, participant) ?? []).filter(({ seq }) => seq > up_to);
  return { ...state, routing: { ...state.routing, wakes: replaceWakes(state.routing.wakes, participant, remaining) } };
}

function recordWait(state: ThreadState, { ts, content }: EventOf<typeof WakeWaiting>): ThreadState {
  const { participant, event, why, until, usage: rawUsage } = content;
  const wait = { why, until };
  const usage = readUsage(rawUsage);
  const wakes = getOwn(state.routing.wakes, participant);
  if (!wakes) return state;
  const updated = wakes.map((wake) =>
    wake.event === event ? { ...wake, waiting: extendWait(wake.waiting, ts, wait), ...(usage && { usage }) } : wake,
  );
  return { ...state, routing: { ...state.routing, wakes: { ...state.routing.wakes, [participant]: updated } } };
}

/** Reads only the counted fields: `wake.closed` will repeat this usage, and an imported file may contain anything. */
function readUsage(value: unknown): WakeUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { model, prompt_tokens, generated_tokens, cost, estimated } = value as Record<string, unknown>;
  return {
    model: typeof model === 'string' ? model.slice(0, 200) : '',
    ...{
      prompt_tokens: readAmount(prompt_tokens),
      generated_tokens: readAmount(generated_tokens),
      cost: readAmount(cost),
    },
    ...(estimated === true && { estimated }),
  };
}

function readAmount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0;
}

/** A pause ends every wait; afterwards a wait starts over (T31). */
function clearWaits(state: ThreadState): ThreadState {
  const entries = Object.entries(state.routing.wakes);
  if (!entries.some(([, wakes]) => wakes.some(({ waiting }) => waiting))) return state;
  const wakes = entries.map(([id, each]) => [id, each.map(({ waiting: _, ...wake }) => wake)] as const);
  return { ...state, routing: { ...state.routing, wakes: Object.fromEntries(wakes) } };
}

/** A message answers all pending wakes of its author. With a `reply_to`, it answers only those up to that event. */
function closeAnswered(state: ThreadState, { from, meta }: Pick<Event, 'from' | 'meta'>): ThreadState {
  const pending = getOwn(state.routing.wakes, from);
  if (!pending) return state;
  if (meta.reply_to === undefined) return removeWakes(state, [from]);
  const answeredWake = pending.find(({ event, about }) => event === meta.reply_to || about === meta.reply_to);
  return answeredWake ? closeWakes(state, { participant: from, up_to: answeredWake.seq }) : state;
}

function removeWakes(state: ThreadState, participants: readonly string[]): ThreadState {
  const wakes = { ...state.routing.wakes };
  for (const participant of participants) delete wakes[participant];
  return { ...state, routing: { ...state.routing, wakes } };
}

function replaceWakes(wakes: Routing['wakes'], participant: string, remaining: readonly Wake[]): Routing['wakes'] {
  const others = { ...wakes };
  delete others[participant];
  return remaining.length > 0 ? { ...others, [participant]: remaining } : others;
}
