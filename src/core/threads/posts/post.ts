import type { Context, Decision, World } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { mayControl, silencedBy } from '../access/authority.ts';
import type { Post } from '../commands.ts';
import { invitation } from '../participants/invitation.ts';
import { mentionsIn } from '../participants/mentions.ts';
import { respelled, unknownAssignee, unknownTarget } from '../participants/names.ts';
import { mayProfile } from '../participants/profiles.ts';
import { madeWay } from '../participants/spellings.ts';
import { causeFor } from '../policy/policy.ts';
import type { Control, ControlName } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { calledOff, drafts, propose } from './answers.ts';
import { notTheirs, unaddressed } from './tasks.ts';

export function decidePost(world: World<ThreadState>, before: ThreadState, input: Post, context: Context): Decision {
  const state = madeWay(before, context.actor.id);
  const post = respelled(state, input, context);
  switch (post.type) {
    case 'message':
      return silencedBy(state, context) ?? unclear(state, post) ?? spoken(state, post, context);
    case 'task':
      return (
        silencedBy(state, context) ??
        unaddressed(state, post) ??
        unknownAssignee(state, post, context) ?? [eventOf(state, post, context)]
      );
    case 'result':
      return silencedBy(state, context) ?? notTheirs(state, post, context) ?? [eventOf(state, post, context)];
    case 'presence':
      return state.presenceLog ? [eventOf(state, post, context)] : [];
    case 'control':
      return control(world, state, post, context);
  }
}

function control(
  world: World<ThreadState>,
  state: ThreadState,
  post: Extract<Post, { type: 'control' }>,
  context: Context,
): Decision {
  const wish = post.content;
  const forbidden = mayControl(state, nameOf(wish), uninvited(wish), context);
  if (forbidden) return forbidden;
  const unknown = unknownTarget(state, wish, context);
  if (unknown) return unknown;
  if ('invite' in wish) {
    const invited = invitation(state, wish.invite, sourceOf(world, state, context), context);
    if (isRefusal(invited)) return invited;
    const { content, meta } = invited;
    const posted = eventOf(state, post, context);
    return [{ ...posted, content, ...(meta && { meta: { ...posted.meta, ...meta } }) }];
  }
  if ('profile' in wish) {
    const refused = mayProfile(state, context.actor.id, wish.profile, context);
    if (refused) return refused;
  }
  const posted = eventOf(state, post, context);
  // The control records who asked; `thread.renamed` is the fact the index is derived from (T10).
  if ('rename' in wish)
    return [posted, { thread: state.id, type: 'thread.renamed', content: { title: wish.rename.title } }];
  return [posted, ...nowSilent(state, wish, context)];
}

/** Whom somebody silences answers nothing any more, and those who asked are told. */
function nowSilent(state: ThreadState, wish: Control, { actor }: Context): readonly NewEvent[] {
  if ('mute' in wish) return calledOff(state, wish.mute.targets, `${actor.id} muted it`);
  const id = uninvited(wish);
  return id === undefined || id === actor.id ? [] : calledOff(state, [id], `${actor.id} uninvited it`);
}

/** Where a human may have said what somebody is whom an agent invites here: the thread that this one came from (T22). */
function sourceOf(
  world: World<ThreadState>,
  { sideOf, origin }: ThreadState,
  { actor }: Context,
): ThreadState | undefined {
  const source = sideOf?.thread ?? origin?.thread;
  return actor.kind === 'human' || source === undefined ? undefined : world.thread(source);
}

/** A participant that drafts before it posts puts its words beside the thread (T19). */
function spoken(state: ThreadState, post: Extract<Post, { type: 'message' }>, context: Context): Decision {
  const { actor } = context;
  if (actor.kind === 'human' || !drafts(state, actor.id)) {
    const posted = eventOf(state, post, context);
    const { unknown } = mentionsIn(state, post.content);
    return [unknown.length > 0 ? { ...posted, meta: { ...posted.meta, unknown } } : posted];
  }
  return propose(state, { thread: state.id, text: post.content, reply_to: post.meta?.reply_to }, context);
}

/** Two who go by one name: the sender is asked which (T14). */
function unclear(state: ThreadState, post: Extract<Post, { type: 'message' }>): Refusal | undefined {
  const [first] = mentionsIn(state, post.content).ambiguous;
  if (!first) return undefined;
  return refuse(
    'ambiguous_mention',
    `"@${first.name}" could be ${first.ids.join(' or ')}. Nothing was posted; mention ${first.ids.map((id) => `@${id}`).join(' or ')} instead.`,
    { thread: state.id, mention: first.name, candidates: first.ids },
  );
}

function nameOf(control: Control): ControlName {
  return Object.keys(control)[0] as ControlName;
}

function uninvited(control: Control): string | undefined {
  return 'uninvite' in control ? control.uninvite.participant_id : undefined;
}

function eventOf(state: ThreadState, { type, to, content, meta }: Post, { actor }: Context): NewEvent {
  // What a human says begins something; what others say goes back to what woke them (T16).
  const caused = actor.kind === 'human' || type === 'presence' ? meta : { ...meta, cause: causeFor(state, actor.id) };
  return {
    thread: state.id,
    type,
    ...(to && { to }),
    content: content as unknown as Json,
    ...(caused && { meta: caused as NonNullable<NewEvent['meta']> }),
  };
}
