import type { Context, Decision, World } from '../decider.ts';
import type { NewEvent } from '../events/event.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { getOwn } from '../util/get-own.ts';
import { checkCanList, checkCanSend, checkCanSpeak } from './access/authority.ts';
import type { ConversationCommand, ConversationInput } from './commands.ts';
import {
  ControlPosted,
  MessagePosted,
  NoticePosted,
  SideClosed,
  SideOpened,
  SideReturned,
  ThreadArchived,
  ThreadCreated,
  ThreadForked,
  ThreadOpened,
  ThreadTagged,
} from './events.ts';
import { buildInvitation } from './participants/invitation.ts';
import { knownProfileFor } from './participants/profiles.ts';
import { resolveSpelling } from './participants/spellings.ts';
import { causeForParticipant, wakeShareFor } from './policy/policy.ts';
import { acceptDraft, discardDraft, proposeDraft, recordAnswer, recordWakeWait, stopAnswer } from './posts/answers.ts';
import { decidePost } from './posts/post.ts';
import { editMessage } from './posts/versions.ts';
import { initialThread, type ThreadState } from './state.ts';
import { MAX_TAGS } from './tags.ts';

export function decideThread(world: World<ThreadState>, command: ConversationCommand, context: Context): Decision {
  const refusal = checkCanSend(world, command, context);
  if (refusal) return refusal;
  switch (command.name) {
    case 'create':
      return create(world, command.input, context);
    case 'post':
      return decideInThread(world, command.input.thread, (state) => decidePost(world, state, command.input, context));
    case 'side_open':
      return decideInThread(world, command.input.thread, (state) => openSide(state, command.input, context));
    case 'side_close':
      return decideInThread(world, command.input.thread, (side) => closeSide(world, side, command.input, context));
    case 'edit':
      return decideInThread(world, command.input.thread, (state) => editMessage(state, command.input, context));
    case 'archive':
      return decideInThread(world, command.input.thread, (state) => archive(state, command.input, context));
    case 'tag':
      return decideInThread(world, command.input.thread, (state) => tag(state, command.input, context));
    case 'fork':
      return decideInThread(world, command.input.thread, (state) => fork(world, state, command.input, context));
    case 'draft':
      return decideInThread(world, command.input.thread, (state) => proposeDraft(state, command.input, context));
    case 'draft_accept':
      return decideInThread(world, command.input.thread, (state) => acceptDraft(state, command.input, context));
    case 'draft_discard':
      return decideInThread(world, command.input.thread, (state) => discardDraft(state, command.input));
    case 'stop_answer':
      return decideInThread(world, command.input.thread, (state) => stopAnswer(state, command.input, context));
    case 'wake_waits':
      return decideInThread(world, command.input.thread, (state) => recordWakeWait(state, command.input, context));
    case 'answer':
      return decideInThread(world, command.input.thread, (state) => recordAnswer(state, command.input, context));
    case 'bring':
      throw new Error('"bring" is decided by the workspace, which knows the kinds of threads.');
    case 'notice':
      return decideInThread(world, command.input.thread, () => notice(command.input, context));
  }
}

function create(world: World<ThreadState>, input: ConversationInput<'create'>, context: Context): Decision {
  const { title, kind, invite, origin } = input;
  const source = origin && world.thread(origin.thread);
  if (origin && !source?.exists) return refuseUnknownThread(origin.thread);
  const thread = context.newId();
  const inherited = inheritanceFor(source, context);
  const events: NewEvent[] = [
    ThreadCreated.of(thread, { title, kind, ...inherited?.made, origin }, inherited?.envelope),
  ];
  for (const { participant_id, profile } of invite) {
    const inviteEvent = buildInvitation(
      initialThread(thread),
      { participant_id, profile },
      source,
      context,
      inherited?.envelope.meta,
    );
    if (isRefusal(inviteEvent)) return inviteEvent;
    events.push(inviteEvent);
  }
  if (inherited && source)
    events.push(ThreadOpened.of(source.id, { thread, title, ...inherited.wakes }, inherited.envelope));
  return events;
}

/** A thread that an agent creates continues with the wakes and budget the agent has left in the source thread (T16). */
function inheritanceFor(source: ThreadState | undefined, { actor }: Context, minWakes = 0) {
  if (!source || actor.kind === 'human') return undefined;
  const cause = causeForParticipant(source, actor.id);
  const payer = source.madeFor?.payer ?? { thread: source.id, budget: source.budget };
  const wakes = { wakes: wakeShareFor(source, cause, minWakes) };
  return { envelope: { meta: { cause } }, wakes, made: { ...wakes, payer } };
}

/** Both threads record the opening at once: the question, the members and the budget (T11). */
function openSide(parent: ThreadState, input: ConversationInput<'side_open'>, context: Context): Decision {
  const { question, budget, title = shortenLine(question) } = input;
  const members = [...new Set(input.members.map((id) => resolveSpelling(parent, id, context)))];
  const refusal = checkCanSpeak(parent, context);
  if (refusal) return refusal;
  const thread = context.newId();
  // Whatever agents cause in the side channel counts towards the same human message.
  const inherited = inheritanceFor(parent, context, members.length);
  const terms = { question, members, ...(budget && { budget }) };
  const inviteEvents = members.map((participant_id) => {
    const profile = knownProfileFor(initialThread(thread), participant_id, parent, context);
    const member = getOwn(parent.participants, participant_id);
    const isBare = Object.keys(profile).length === 0 && (!member || member.bare);
    const meta = inherited && {
      ...inherited.envelope.meta,
      ...(isBare ? { bare: true as const } : { profiled: true as const }),
    };
    return ControlPosted.of(thread, { invite: { participant_id, profile } }, meta && { meta });
  });
  const side_of = { thread: parent.id, ...terms };
  return [
    ThreadCreated.of(thread, { title, kind: 'conversation', ...inherited?.made, side_of }, inherited?.envelope),
    // The question comes before the invitations. Only the invitation wakes a member, so nobody is woken twice (T24).
    MessagePosted.of(thread, question, inherited?.envelope),
    ...inviteEvents,
    SideOpened.of(parent.id, { thread, title, ...terms, ...inherited?.wakes }, inherited?.envelope),
  ];
}

function closeSide(
  world: World<ThreadState>,
  side: ThreadState,
  { summary }: ConversationInput<'side_close'>,
  { actor }: Context,
): Decision {
  const details = { thread: side.id, participant: actor.id };
  if (!side.sideOf)
    return refuse('not_a_side_channel', `"${side.title}" is not a side channel; mark it done instead.`, details);
  if (side.sideOf.closed) return refuse('side_closed', `"${side.title}" is already closed.`, details);
  if (actor.kind !== 'human' && actor.id !== side.sideOf.opener) {
    return refuse(
      'forbidden',
      `Only ${side.sideOf.opener}, who opened it, or a human may close this side channel.`,
      details,
    );
  }
  const parent = world.thread(side.sideOf.thread);
  return [
    SideClosed.of(side.id, { summary }),
    ...(parent?.exists ? [SideReturned.of(parent.id, { thread: side.id, summary })] : []),
  ];
}

function archive(state: ThreadState, { on }: ConversationInput<'archive'>, context: Context): Decision {
  const refusal = checkCanList(state, 'archive', context);
  if (refusal) return refusal;
  return on === (state.archived ?? false) ? [] : [ThreadArchived.of(state.id, { on })];
}

function tag(state: ThreadState, { add, remove }: ConversationInput<'tag'>, context: Context): Decision {
  const refusal = checkCanList(state, 'tag', context);
  if (refusal) return refusal;
  const before = state.tags ?? [];
  const tags = [...new Set([...before.filter((each) => !remove.includes(each)), ...add])];
  if (tags.length > MAX_TAGS)
    return refuse('malformed', `A thread has at most ${MAX_TAGS} tags; this would be ${tags.length}.`);
  return tags.join() === before.join() ? [] : [ThreadTagged.of(state.id, { tags })];
}

function fork(
  world: World<ThreadState>,
  parent: ThreadState,
  input: ConversationInput<'fork'>,
  context: Context,
): Decision {
  const head = world.seq(parent.id);
  const { seq = head, title = `${shortenLine(parent.title, 190)} (fork)` } = input;
  if (seq > head) {
    return refuse('malformed', `"${parent.title}" has ${head} events, so it cannot fork after number ${seq}.`);
  }
  const thread = context.newId();
  const inherited = inheritanceFor(parent, context);
  const forkPoint = { forked_from: { thread: parent.id, seq } };
  return [
    ThreadCreated.of(thread, { title, kind: parent.kind, ...inherited?.made, ...forkPoint }, inherited?.envelope),
    ThreadForked.of(parent.id, { thread, seq, title, ...inherited?.wakes }, inherited?.envelope),
  ];
}

function notice({ thread, text, about }: ConversationInput<'notice'>, { actor }: Context): Decision {
  if (actor.kind !== 'automation') {
    return refuse('forbidden', 'Notices are written by the workspace itself. Post a message instead.', { thread });
  }
  return [NoticePosted.of(thread, { text, about: about || undefined }, about ? { meta: { reply_to: about } } : {})];
}

function decideInThread(world: World<ThreadState>, id: string, decide: (state: ThreadState) => Decision): Decision {
  const state = world.thread(id);
  if (!state?.exists) {
    return refuseUnknownThread(id);
  }
  const decision = decide(state);
  return isRefusal(decision)
    ? refuse(decision.refusal.code, decision.refusal.message, { thread: id, ...decision.refusal })
    : decision;
}

export function refuseUnknownThread(id: string): Refusal {
  return refuse('unknown_thread', `There is no thread ${id} in this workspace. List them with "heddle threads".`, {
    thread: id,
  });
}

function shortenLine(text: string, limit = 80): string {
  const line = text.split('\n')[0]?.trim() || 'Side channel';
  return line.length <= limit ? line : `${[...line].slice(0, limit - 1).join('')}…`;
}
