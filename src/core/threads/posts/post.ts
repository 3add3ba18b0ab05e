import { attachmentMeta } from '../../attachments/attachment.ts';
import type { Context, Decision, World } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { checkCanSpeak, checkControl } from '../access/authority.ts';
import type { Post } from '../commands.ts';
import { ThreadRenamed } from '../events.ts';
import { buildInvitation } from '../participants/invitation.ts';
import { mentionsIn } from '../participants/mentions.ts';
import { checkAssignees, checkTargets, respellPost } from '../participants/names.ts';
import { checkProfile } from '../participants/profiles.ts';
import { claimSpelling } from '../participants/spellings.ts';
import { causeForParticipant } from '../policy/policy.ts';
import type { Control, ControlName } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { cancelWakes, proposeDraft, shouldDraft } from './answers.ts';
import { checkResult, checkTaskAddressee } from './tasks.ts';

export function decidePost(world: World<ThreadState>, original: ThreadState, input: Post, context: Context): Decision {
  const state = claimSpelling(original, context.actor.id);
  const post = respellPost(state, input, context);
  switch (post.type) {
    case 'message':
      return checkCanSpeak(state, context) ?? checkMentions(state, post) ?? decideMessage(state, post, context);
    case 'task':
      return (
        checkCanSpeak(state, context) ??
        checkTaskAddressee(state, post) ??
        checkAssignees(state, post, context) ?? [eventOf(state, post, context)]
      );
    case 'result':
      return checkCanSpeak(state, context) ?? checkResult(state, post, context) ?? [eventOf(state, post, context)];
    case 'presence':
      return state.presenceLog ? [eventOf(state, post, context)] : [];
    case 'control':
      return decideControl(world, state, post, context);
  }
}

function decideControl(
  world: World<ThreadState>,
  state: ThreadState,
  post: Extract<Post, { type: 'control' }>,
  context: Context,
): Decision {
  const controlInput = post.content;
  const refusal = checkControl(state, controlNameOf(controlInput), uninvitedId(controlInput), context);
  if (refusal) return refusal;
  const unknownRefusal = checkTargets(state, controlInput, context);
  if (unknownRefusal) return unknownRefusal;
  if ('invite' in controlInput) {
    const inviteEvent = buildInvitation(state, controlInput.invite, sourceThreadOf(world, state, context), context);
    if (isRefusal(inviteEvent)) return inviteEvent;
    const { content, meta } = inviteEvent;
    const event = eventOf(state, post, context);
    return [{ ...event, content, ...(meta && { meta: { ...event.meta, ...meta } }) }];
  }
  if ('profile' in controlInput) {
    const profileRefusal = checkProfile(state, context.actor.id, controlInput.profile, context);
    if (profileRefusal) return profileRefusal;
  }
  const event = eventOf(state, post, context);
  // The control records who asked; `thread.renamed` is the fact the index is derived from (T10).
  if ('rename' in controlInput) return [event, ThreadRenamed.of(state.id, { title: controlInput.rename.title })];
  return [event, ...cancelSilencedWakes(state, controlInput, context)];
}

/** Silenced participants answer nothing any more; closing their wakes informs those who asked. */
function cancelSilencedWakes(state: ThreadState, controlInput: Control, { actor }: Context): readonly NewEvent[] {
  if ('mute' in controlInput) return cancelWakes(state, controlInput.mute.targets, `${actor.id} muted it`);
  const id = uninvitedId(controlInput);
  return id === undefined || id === actor.id ? [] : cancelWakes(state, [id], `${actor.id} uninvited it`);
}

/** The thread that this one came from. A human may have described there someone whom an agent invites here (T22). */
function sourceThreadOf(
  world: World<ThreadState>,
  { sideOf, origin }: ThreadState,
  { actor }: Context,
): ThreadState | undefined {
  const source = sideOf?.thread ?? origin?.thread;
  return actor.kind === 'human' || source === undefined ? undefined : world.thread(source);
}

/** A message of a participant that drafts before it posts becomes a draft (T19). */
function decideMessage(state: ThreadState, post: Extract<Post, { type: 'message' }>, context: Context): Decision {
  const { actor } = context;
  if (actor.kind === 'human' || !shouldDraft(state, actor.id)) {
    const event = eventOf(state, post, context);
    const { unknown } = mentionsIn(state, post.content);
    return [unknown.length > 0 ? { ...event, meta: { ...event.meta, unknown } } : event];
  }
  const { reply_to, attachments } = post.meta ?? {};
  return proposeDraft(state, { thread: state.id, text: post.content, reply_to }, context, attachments);
}

/** Refuses a mention that matches several participants, and asks the sender which one was meant (T14). */
function checkMentions(state: ThreadState, post: Extract<Post, { type: 'message' }>): Refusal | undefined {
  const [mention] = mentionsIn(state, post.content).ambiguous;
  if (!mention) return undefined;
  return refuse(
    'ambiguous_mention',
    `"@${mention.name}" could be ${mention.ids.join(' or ')}. Nothing was posted; mention ${mention.ids.map((id) => `@${id}`).join(' or ')} instead.`,
    { thread: state.id, mention: mention.name, candidates: mention.ids },
  );
}

function controlNameOf(control: Control): ControlName {
  return Object.keys(control)[0] as ControlName;
}

function uninvitedId(control: Control): string | undefined {
  return 'uninvite' in control ? control.uninvite.participant_id : undefined;
}

function eventOf(state: ThreadState, { type, to, content, meta }: Post, { actor }: Context): NewEvent {
  // A human message starts a new cause; other messages inherit the cause of what woke their author (T16).
  const said = meta && 'attachments' in meta ? { ...meta, ...attachmentMeta(meta.attachments) } : meta;
  const fullMeta =
    actor.kind === 'human' || type === 'presence' ? said : { ...said, cause: causeForParticipant(state, actor.id) };
  return {
    thread: state.id,
    type,
    ...(to && { to }),
    content: content as unknown as Json,
    ...(fullMeta && { meta: fullMeta as NonNullable<NewEvent['meta']> }),
  };
}
