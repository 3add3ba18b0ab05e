import type { Context, World } from '../../decider.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import type { ConversationCommand, ConversationCommandName, ConversationInput, Post } from '../commands.ts';
import { claimSpelling, findOtherSpelling } from '../participants/spellings.ts';
import type { ControlName } from '../schema.ts';
import type { ThreadState } from '../state.ts';

/** Refuses a participant that may not speak here now (T7). */
export function checkCanSpeak(original: ThreadState, { actor }: Pick<Context, 'actor'>): Refusal | undefined {
  const state = claimSpelling(original, actor.id);
  const details = { thread: state.id, participant: actor.id };
  const otherId = findOtherSpelling(state, actor);
  if (otherId !== undefined) {
    return refuse(
      'forbidden',
      `"${state.title}" already has a participant "${otherId}", and IDs that differ only in case are the same. Nothing was posted; use a credential of "${otherId}", or ask a human to uninvite "${otherId}" here.`,
      details,
    );
  }
  if (getOwn(state.muted, actor.id) === 'hard') {
    return refuse(
      'participant_muted',
      `${actor.id} is muted in "${state.title}". Nothing was posted; wait until a human unmutes it.`,
      details,
    );
  }
  if (state.paused && actor.kind !== 'human') {
    return refuse(
      'thread_paused',
      `"${state.title}" is paused: only humans may write. Nothing was posted; wait until it is resumed.`,
      details,
    );
  }
  return undefined;
}

/**
 * Who may send a command of a conversation: only humans, only the workspace itself (no route leads to these), or anyone
 * who is not silenced in the threads that the command acts in or takes from (T28).
 */
const SENDERS: { readonly [Name in ConversationCommandName]: CommandSender<Name> } = {
  create: ({ origin }) => (origin ? [origin.thread] : []),
  bring: ({ thread, origin }) => [thread, origin.thread],
  post: (post, { actor }) => (isAlwaysAllowed(post, actor.id) ? [] : [post.thread]),
  side_open: ({ thread }) => [thread],
  side_close: ({ thread }) => [thread],
  edit: ({ thread }) => [thread],
  archive: ({ thread }) => [thread],
  tag: ({ thread }) => [thread],
  fork: ({ thread }) => [thread],
  draft: ({ thread }) => [thread],
  draft_accept: 'human',
  draft_discard: 'human',
  stop_answer: 'human',
  wake_waits: 'workspace',
  answer: 'workspace',
  notice: 'workspace',
};
type CommandSender<Name extends ConversationCommandName> =
  | 'human'
  | 'workspace'
  | AffectedThreads<ConversationInput<Name>>;
type AffectedThreads<Input> = (input: Input, context: Pick<Context, 'actor'>) => readonly string[];

/** Silenced participants may still send presence, and may leave. */
function isAlwaysAllowed(post: Post, actor: string): boolean {
  if (post.type === 'presence') return true;
  return post.type === 'control' && 'uninvite' in post.content && post.content.uninvite.participant_id === actor;
}

/** Refuses a command that the actor may not send now (T6, T28). */
export function checkCanSend(
  world: World<ThreadState>,
  command: ConversationCommand,
  context: Context,
): Refusal | undefined {
  const { actor } = context;
  const rule = SENDERS[command.name] as CommandSender<typeof command.name>;
  if (actor.kind === 'human' || rule === 'workspace') return undefined;
  if (rule === 'human') return refuseNonHuman(command.name, context);
  for (const id of (rule as AffectedThreads<unknown>)(command.input, context)) {
    const refusal = checkCanSpeakIn(world, id, context);
    if (refusal) return refusal;
  }
  return undefined;
}

/**
 * A side channel is part of its thread: participants silenced there are silenced in it too. `visited` guards against
 * cycles in an imported log.
 */
function checkCanSpeakIn(world: World<ThreadState>, id: string, context: Context): Refusal | undefined {
  const visited = new Set<string>();
  for (let current: string | undefined = id; current !== undefined && !visited.has(current); ) {
    visited.add(current);
    const state = world.thread(current);
    const refusal = state?.exists && checkCanSpeak(state, context);
    if (refusal) return refusal;
    current = state?.sideOf?.thread;
  }
  return undefined;
}

const OPEN_CONTROLS: ReadonlySet<ControlName> = new Set(['invite', 'prod', 'profile']);

/** Content never confers authority: who may send a control depends on the credential alone (T6). */
export function checkControl(
  state: ThreadState,
  name: ControlName,
  targetId: string | undefined,
  context: Context,
): Refusal | undefined {
  const { actor } = context;
  if (actor.kind === 'human' || OPEN_CONTROLS.has(name)) return undefined;
  if (name === 'uninvite' && targetId === actor.id) return undefined;
  if (name === 'rename') return checkCanList(state, name, context);
  return refuseNonHuman(name, context, state.id);
}

/** The creator of a thread, or a human, may say how it is listed: rename, archive or tag it (T6). */
export function checkCanList(state: ThreadState, name: string, context: Pick<Context, 'actor'>): Refusal | undefined {
  const { actor } = context;
  return actor.kind === 'human' || state.creator === actor.id ? undefined : refuseNonHuman(name, context, state.id);
}

export function refuseNonHuman(name: string, { actor }: Pick<Context, 'actor'>, thread?: string): Refusal {
  return refuse(
    'forbidden',
    `"${name}" needs a human's credential; ${actor.id} is ${actor.kind === 'agent' ? 'an agent' : 'automation'}. Ask a human in this thread.`,
    { ...(thread !== undefined && { thread }), participant: actor.id },
  );
}
