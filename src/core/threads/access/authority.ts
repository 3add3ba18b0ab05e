import type { Context, World } from '../../decider.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { own } from '../../util/get-own.ts';
import type { Command, CommandName, InputOf, Post } from '../commands.ts';
import { madeWay, otherSpelling } from '../participants/spellings.ts';
import type { ControlName } from '../schema.ts';
import type { ThreadState } from '../state.ts';

/** Why this participant may not speak here now, if it may not (T7). */
export function silencedBy(before: ThreadState, { actor }: Pick<Context, 'actor'>): Refusal | undefined {
  const state = madeWay(before, actor.id);
  const about = { thread: state.id, participant: actor.id };
  const other = otherSpelling(state, actor);
  if (other !== undefined) {
    return refuse(
      'forbidden',
      `"${state.title}" has a participant "${other}" already, and ids that differ only in case are one. Nothing was posted; use a credential of "${other}", or ask a human to uninvite "${other}" here.`,
      about,
    );
  }
  if (own(state.muted, actor.id) === 'hard') {
    return refuse(
      'participant_muted',
      `${actor.id} is muted in "${state.title}". Nothing was posted; wait until a human unmutes it.`,
      about,
    );
  }
  if (state.paused && actor.kind !== 'human') {
    return refuse(
      'thread_paused',
      `"${state.title}" is paused: only humans may write. Nothing was posted; wait until it is resumed.`,
      about,
    );
  }
  return undefined;
}

/**
 * Who may send a command of a conversation: humans alone, the workspace itself (no route leads to these), or anyone who
 * is not silenced in the threads that it acts in or takes from (T28).
 */
const SENDERS: { readonly [Name in CommandName]: Sender<Name> } = {
  create: ({ origin }) => (origin ? [origin.thread] : []),
  bring: ({ thread, origin }) => [thread, origin.thread],
  post: (post, { actor }) => (isAlwaysFree(post, actor.id) ? [] : [post.thread]),
  side_open: ({ thread }) => [thread],
  side_close: ({ thread }) => [thread],
  fork: ({ thread }) => [thread],
  draft: ({ thread }) => [thread],
  draft_accept: 'human',
  draft_discard: 'human',
  stop_answer: 'human',
  wake_waits: 'workspace',
  answer: 'workspace',
  notice: 'workspace',
};
type Sender<Name extends CommandName> = 'human' | 'workspace' | Threads<InputOf<Name>>;
type Threads<Input> = (input: Input, context: Pick<Context, 'actor'>) => readonly string[];

/** Whoever is silenced may still say that it is here, and may go. */
function isAlwaysFree(post: Post, actor: string): boolean {
  if (post.type === 'presence') return true;
  return post.type === 'control' && 'uninvite' in post.content && post.content.uninvite.participant_id === actor;
}

/** Why whoever acts may not send this command now, if it may not (T6, T28). */
export function mayAct(world: World<ThreadState>, command: Command, context: Context): Refusal | undefined {
  const { actor } = context;
  const sender = SENDERS[command.name] as Sender<typeof command.name>;
  if (actor.kind === 'human' || sender === 'workspace') return undefined;
  if (sender === 'human') return humansOnly(command.name, context);
  for (const id of (sender as Threads<unknown>)(command.input, context)) {
    const silenced = silencedIn(world, id, context);
    if (silenced) return silenced;
  }
  return undefined;
}

/** A side channel is part of its thread: who is silenced there is silenced in it too. An imported log may go in circles. */
function silencedIn(world: World<ThreadState>, id: string, context: Context): Refusal | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const state = world.thread(at);
    const silenced = state?.exists && silencedBy(state, context);
    if (silenced) return silenced;
    at = state?.sideOf?.thread;
  }
  return undefined;
}

const ANYONE: ReadonlySet<ControlName> = new Set(['invite', 'prod', 'profile']);

/** Content never confers authority: who may send a control depends on the credential alone (T6). */
export function mayControl(
  state: ThreadState,
  name: ControlName,
  about: string | undefined,
  context: Context,
): Refusal | undefined {
  const { actor } = context;
  if (actor.kind === 'human' || ANYONE.has(name)) return undefined;
  if (name === 'uninvite' && about === actor.id) return undefined;
  if (name === 'rename' && state.creator === actor.id) return undefined;
  return humansOnly(name, context, state.id);
}

export function humansOnly(name: string, { actor }: Pick<Context, 'actor'>, thread?: string): Refusal {
  return refuse(
    'forbidden',
    `"${name}" needs a human's credential; ${actor.id} is ${actor.kind === 'agent' ? 'an agent' : 'automation'}. Ask a human in this thread.`,
    { ...(thread !== undefined && { thread }), participant: actor.id },
  );
}
