import type { Context, Decision, World } from '../decider.ts';
import type { Json, Meta, NewEvent } from '../events/event.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { own } from '../util/get-own.ts';
import { mayAct, silencedBy } from './access/authority.ts';
import type { Command, InputOf } from './commands.ts';
import { invitation } from './participants/invitation.ts';
import { profileFor } from './participants/profiles.ts';
import { spelledHere } from './participants/spellings.ts';
import { causeFor, wakesFor } from './policy/policy.ts';
import { acceptDraft, answer, discardDraft, propose, stopAnswer, waitOfWake } from './posts/answers.ts';
import { decidePost } from './posts/post.ts';
import { initialThread, type ThreadState } from './state.ts';

export function decideThread(world: World<ThreadState>, command: Command, context: Context): Decision {
  const refused = mayAct(world, command, context);
  if (refused) return refused;
  switch (command.name) {
    case 'create':
      return create(world, command.input, context);
    case 'post':
      return withThread(world, command.input.thread, (state) => decidePost(world, state, command.input, context));
    case 'side_open':
      return withThread(world, command.input.thread, (state) => openSide(state, command.input, context));
    case 'side_close':
      return withThread(world, command.input.thread, (side) => closeSide(world, side, command.input, context));
    case 'fork':
      return withThread(world, command.input.thread, (state) => fork(world, state, command.input, context));
    case 'draft':
      return withThread(world, command.input.thread, (state) => propose(state, command.input, context));
    case 'draft_accept':
      return withThread(world, command.input.thread, (state) => acceptDraft(state, command.input, context));
    case 'draft_discard':
      return withThread(world, command.input.thread, (state) => discardDraft(state, command.input));
    case 'stop_answer':
      return withThread(world, command.input.thread, (state) => stopAnswer(state, command.input, context));
    case 'wake_waits':
      return withThread(world, command.input.thread, (state) => waitOfWake(state, command.input, context));
    case 'answer':
      return withThread(world, command.input.thread, (state) => answer(state, command.input, context));
    case 'bring':
      throw new Error('"bring" is decided by the workspace, which knows the kinds of threads.');
    case 'notice':
      return withThread(world, command.input.thread, () => notice(command.input, context));
  }
}

function create(world: World<ThreadState>, input: InputOf<'create'>, context: Context): Decision {
  const { title, kind, invite, origin } = input;
  const source = origin && world.thread(origin.thread);
  if (origin && !source?.exists) return unknownThread(origin.thread);
  const thread = context.newId();
  const taken = takenAlong(source, context);
  const begun: NewEvent[] = [
    event(
      thread,
      'thread.created',
      { title, kind, ...taken?.made, ...(origin && { origin: origin as Json }) },
      taken?.meta,
    ),
  ];
  for (const { participant_id, profile } of invite) {
    const invited = invitation(initialThread(thread), { participant_id, profile }, source, context, taken?.meta);
    if (isRefusal(invited)) return invited;
    begun.push(invited);
  }
  if (taken && source) begun.push(event(source.id, 'thread.opened', { thread, title, ...taken.wakes }, taken.meta));
  return begun;
}

/** An agent that makes a thread goes on in it with what it may still cause where it comes from (T16). */
function takenAlong(source: ThreadState | undefined, { actor }: Context, least = 0) {
  if (!source || actor.kind === 'human') return undefined;
  const cause = causeFor(source, actor.id);
  const payer = source.madeFor?.payer ?? { thread: source.id, budget: source.budget };
  const wakes = { wakes: wakesFor(source, cause, least) };
  return { meta: { cause }, wakes, made: { ...wakes, payer: payer as unknown as Json } };
}

/** Opening is told in both threads at once: what is asked, of whom, within which budget (T11). */
function openSide(parent: ThreadState, input: InputOf<'side_open'>, context: Context): Decision {
  const { question, budget, title = shortened(question) } = input;
  const members = [...new Set(input.members.map((id) => spelledHere(parent, id, context)))];
  const silenced = silencedBy(parent, context);
  if (silenced) return silenced;
  const thread = context.newId();
  // What agents cause in it goes back to the same human message, and counts on from there.
  const taken = takenAlong(parent, context, members.length);
  const terms = { question, members, ...(budget && { budget: budget as Json }) };
  const invited = members.map((participant_id) => {
    const profile = profileFor(initialThread(thread), participant_id, parent, context);
    const known = own(parent.participants, participant_id);
    const isBare = Object.keys(profile).length === 0 && (!known || known.bare);
    const meta = taken && { ...taken.meta, ...(isBare ? { bare: true as const } : { profiled: true as const }) };
    return event(thread, 'control', { invite: { participant_id, profile: profile as unknown as Json } }, meta);
  });
  const side_of = { thread: parent.id, ...terms };
  return [
    event(thread, 'thread.created', { title, kind: 'conversation', ...taken?.made, side_of }, taken?.meta),
    // Before anybody is there: it is the invitation that wakes, so nobody is woken twice (T24).
    event(thread, 'message', question, taken?.meta),
    ...invited,
    event(parent.id, 'side.opened', { thread, title, ...terms, ...taken?.wakes }, taken?.meta),
  ];
}

function closeSide(
  world: World<ThreadState>,
  side: ThreadState,
  { summary }: InputOf<'side_close'>,
  { actor }: Context,
): Decision {
  const about = { thread: side.id, participant: actor.id };
  if (!side.sideOf)
    return refuse('not_a_side_channel', `"${side.title}" is not a side channel; mark it done instead.`, about);
  if (side.sideOf.closed) return refuse('side_closed', `"${side.title}" is already closed.`, about);
  if (actor.kind !== 'human' && actor.id !== side.sideOf.opener) {
    return refuse(
      'forbidden',
      `Only ${side.sideOf.opener}, who opened it, or a human may close this side channel.`,
      about,
    );
  }
  const parent = world.thread(side.sideOf.thread);
  return [
    event(side.id, 'side.closed', { summary }),
    ...(parent?.exists ? [event(parent.id, 'side.returned', { thread: side.id, summary })] : []),
  ];
}

function fork(world: World<ThreadState>, parent: ThreadState, input: InputOf<'fork'>, context: Context): Decision {
  // To branch an exchange is its observer's power, by whatever command (X5).
  if (parent.kind === 'exchange' && context.actor.kind !== 'human') {
    return refuse('forbidden', 'Only the observer, a person, may branch an exchange.', { thread: parent.id });
  }
  const head = world.seq(parent.id);
  const { seq = head, title = `${shortened(parent.title, 190)} (fork)` } = input;
  if (seq > head) {
    return refuse('malformed', `"${parent.title}" has ${head} events, so it cannot fork after number ${seq}.`);
  }
  const thread = context.newId();
  const taken = takenAlong(parent, context);
  const from = { forked_from: { thread: parent.id, seq } };
  return [
    event(thread, 'thread.created', { title, kind: parent.kind, ...taken?.made, ...from }, taken?.meta),
    event(parent.id, 'thread.forked', { thread, seq, title, ...taken?.wakes }, taken?.meta),
  ];
}

function notice({ thread, text, about }: InputOf<'notice'>, { actor }: Context): Decision {
  if (actor.kind !== 'automation') {
    return refuse('forbidden', 'Notices are written by the workspace itself. Post a message instead.', { thread });
  }
  return [event(thread, 'notice.posted', { text, ...(about && { about }) }, about ? { reply_to: about } : undefined)];
}

function withThread(world: World<ThreadState>, id: string, decide: (state: ThreadState) => Decision): Decision {
  const state = world.thread(id);
  if (!state?.exists) {
    return unknownThread(id);
  }
  const decision = decide(state);
  return isRefusal(decision)
    ? refuse(decision.refusal.code, decision.refusal.message, { thread: id, ...decision.refusal })
    : decision;
}

export function unknownThread(id: string): Refusal {
  return refuse('unknown_thread', `There is no thread ${id} in this workspace. List them with "heddle threads".`, {
    thread: id,
  });
}

function event(thread: string, type: string, content: Json, meta?: Meta): NewEvent {
  return { thread, type, content, ...(meta && { meta }) };
}

function shortened(text: string, limit = 80): string {
  const line = text.split('\n')[0]?.trim() || 'Side channel';
  return line.length <= limit ? line : `${[...line].slice(0, limit - 1).join('')}…`;
}
