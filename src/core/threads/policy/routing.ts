import type { Event } from '../../events/event.ts';
import { type Waiting, waitingFrom } from '../../runs/wait.ts';
import { own } from '../../util/get-own.ts';
import type { Control } from '../schema.ts';
import type { Routing, Spent, ThreadState, UsageSoFar, Wake } from '../state.ts';
import { causeOf, type Delivery, deliver, ROOTS } from './policy.ts';

const PENDING = 16;
const STOPPED = 64;

/** Whom an event wakes, written into the state: the decision is made once and can be asked for as long as the event is. */
export function routed(before: ThreadState, state: ThreadState, event: Event): ThreadState {
  switch (event.type) {
    case 'message':
    case 'task':
      return delivered(before, answeredBy(state, event), event);
    case 'result':
      return answeredBy(state, event);
    case 'control':
      return controlled(before, state, event);
    case 'side.opened':
    case 'thread.forked':
    case 'thread.opened':
      return takenAlong(state, event);
    case 'side.closed':
      return withNoWakes(state);
    case 'wake.waiting':
      return waitingFor(state, event);
    case 'wake.closed':
      return closed(state, event.content as unknown as { participant: string; up_to: number });
    default:
      return state;
  }
}

/** What became of an event that this state was made by. */
export function decisionsOn(state: ThreadState, event: Event): readonly Delivery[] {
  const { last } = state.routing;
  return last?.event === event.id ? last.decisions : deliver(state, event, event.ts);
}

function controlled(before: ThreadState, state: ThreadState, event: Event): ThreadState {
  const control = event.content as unknown as Control;
  if ('prod' in control || 'invite' in control) return delivered(before, state, event);
  if ('continue' in control) return continued(state);
  if ('done' in control) return withNoWakes(state);
  if ('pause' in control) return withoutWaits(state);
  if ('mute' in control) return withoutWakes(state, control.mute.targets);
  if ('uninvite' in control) return withoutWakes(state, [control.uninvite.participant_id]);
  return state;
}

function delivered(before: ThreadState, state: ThreadState, event: Event): ThreadState {
  const decisions = deliver(state, event, event.ts, before.participants);
  if (decisions.length === 0) return state;
  const cause = causeOf(state, event);
  let routing: Routing = { ...state.routing, last: { event: event.id, decisions } };
  const first = decisions.find(({ decision }) => decision === 'wake')?.participant;
  const wakes: [participant: string, wake: Wake][] = [];
  for (const { participant, decision, code, reason } of decisions) {
    if (decision !== 'no') {
      const behind = code === 'queued' && first !== undefined ? { behind: first } : {};
      const wake = { event: event.id, seq: event.seq, cause: { root: cause.root, depth: cause.depth + 1 }, reason };
      wakes.push([participant, { ...wake, ...behind }]);
    } else if (code === 'hop_limit') {
      const stop = { participant, event: event.id, seq: event.seq, cause, reason };
      routing = { ...routing, stopped: [...routing.stopped, stop].slice(-STOPPED) };
    }
  }
  if (wakes.length === 0) return { ...state, routing };
  routing = woken(routing, wakes);
  const by = wakes.map(([participant]) => participant);
  if (event.meta.by !== 'human') routing = { ...routing, spent: counted(routing.spent, cause.root, by) };
  return { ...state, routing };
}

/** All at once: what is known of everybody is copied for an event, not for each whom it wakes. */
function woken(routing: Routing, fresh: readonly (readonly [participant: string, wake: Wake])[]): Routing {
  const wakes = new Map(Object.entries(routing.wakes));
  const causes = new Map(Object.entries(routing.causes));
  for (const [participant, wake] of fresh) {
    wakes.set(participant, [...(wakes.get(participant) ?? []), wake].slice(-PENDING));
    causes.set(participant, wake.cause);
  }
  return { ...routing, wakes: Object.fromEntries(wakes), causes: Object.fromEntries(causes) };
}

function counted(spent: readonly Spent[], root: string, participants: readonly string[]): readonly Spent[] {
  const known = spent.find((each) => each.root === root) ?? { root, wakes: 0, each: {} };
  const each = new Map(Object.entries(known.each));
  for (const participant of participants) each.set(participant, (each.get(participant) ?? 0) + 1);
  const wakes = known.wakes + participants.length;
  return [...spent.filter((other) => other !== known), { root, wakes, each: Object.fromEntries(each) }].slice(-ROOTS);
}

/** A human lets those go on who were stopped: counting begins anew, as if the human had said it (T16). */
function continued(state: ThreadState): ThreadState {
  const roots = new Set([...state.routing.stopped.map(({ cause }) => cause.root), state.madeFor?.root]);
  const spent = state.routing.spent.filter(({ root }) => !roots.has(root));
  const { madeFor: _, ...ours } = state;
  let routing: Routing = { ...state.routing, spent, stopped: [] };
  for (const { participant, event, seq, cause } of state.routing.stopped) {
    if (!own(state.participants, participant)?.invited || own(state.muted, participant)) continue;
    const fresh = { root: cause.root, depth: 1 };
    routing = woken(routing, [[participant, { event, seq, cause: fresh, reason: 'a human let it continue' }]]);
    routing = { ...routing, spent: counted(routing.spent, cause.root, [participant]) };
  }
  return { ...ours, routing };
}

/** What an agent takes along into a thread that it makes is spent here, or threads would be made without end (T16). */
function takenAlong(state: ThreadState, event: Event): ThreadState {
  const { members = [], wakes = members.length } = event.content as { members?: readonly string[]; wakes?: number };
  if (event.meta.by === 'human' || wakes === 0) return state;
  const { root } = causeOf(state, event);
  const known = state.routing.spent.find((other) => other.root === root) ?? { root, wakes: 0, each: {} };
  const each = { ...known.each };
  for (const member of members) each[member] = (each[member] ?? 0) + 1;
  const others = state.routing.spent.filter((other) => other !== known);
  const spent = [...others, { root, wakes: known.wakes + wakes, each }].slice(-ROOTS);
  return { ...state, routing: { ...state.routing, spent } };
}

/** Nobody is to answer any more. */
function withNoWakes(state: ThreadState): ThreadState {
  return { ...state, routing: { ...state.routing, wakes: {} } };
}

function closed(state: ThreadState, { participant, up_to }: { participant: string; up_to: number }): ThreadState {
  const left = (own(state.routing.wakes, participant) ?? []).filter(({ seq }) => seq > up_to);
  return { ...state, routing: { ...state.routing, wakes: withOnly(state.routing.wakes, participant, left) } };
}

type WaitOf = Waiting & { readonly participant: string; readonly event: string; readonly usage?: unknown };

function waitingFor(state: ThreadState, { ts, content }: Event): ThreadState {
  const { participant, event, usage: said, ...wait } = content as unknown as WaitOf;
  const usage = usageIn(said);
  const wakes = own(state.routing.wakes, participant);
  if (!wakes) return state;
  const shown = wakes.map((wake) =>
    wake.event === event ? { ...wake, waiting: waitingFrom(wake.waiting, ts, wait), ...(usage && { usage }) } : wake,
  );
  return { ...state, routing: { ...state.routing, wakes: { ...state.routing.wakes, [participant]: shown } } };
}

/** It will be said again when the wake is closed, so nothing goes along but what was counted: a file of others says anything. */
function usageIn(said: unknown): UsageSoFar | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { model, prompt_tokens, generated_tokens, cost, estimated } = said as Record<string, unknown>;
  return {
    model: typeof model === 'string' ? model.slice(0, 200) : '',
    ...{ prompt_tokens: amountIn(prompt_tokens), generated_tokens: amountIn(generated_tokens), cost: amountIn(cost) },
    ...(estimated === true && { estimated }),
  };
}

function amountIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0;
}

/** A pause ends every wait; afterwards a wait starts over (T31). */
function withoutWaits(state: ThreadState): ThreadState {
  const entries = Object.entries(state.routing.wakes);
  if (!entries.some(([, wakes]) => wakes.some(({ waiting }) => waiting))) return state;
  const wakes = entries.map(([id, each]) => [id, each.map(({ waiting: _, ...wake }) => wake)] as const);
  return { ...state, routing: { ...state.routing, wakes: Object.fromEntries(wakes) } };
}

/** Who speaks has answered; with a `reply_to`, what came up to that, and what came later still waits. */
function answeredBy(state: ThreadState, { from, meta }: Event): ThreadState {
  const pending = own(state.routing.wakes, from);
  if (!pending) return state;
  if (meta.reply_to === undefined) return withoutWakes(state, [from]);
  const answered = pending.find(({ event }) => event === meta.reply_to);
  return answered ? closed(state, { participant: from, up_to: answered.seq }) : state;
}

function withoutWakes(state: ThreadState, participants: readonly string[]): ThreadState {
  const wakes = { ...state.routing.wakes };
  for (const participant of participants) delete wakes[participant];
  return { ...state, routing: { ...state.routing, wakes } };
}

function withOnly(wakes: Routing['wakes'], participant: string, left: readonly Wake[]): Routing['wakes'] {
  const others = { ...wakes };
  delete others[participant];
  return left.length > 0 ? { ...others, [participant]: left } : others;
}
