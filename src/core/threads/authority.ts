import type { Context } from '../decider.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ControlName } from './schema.ts';
import type { ThreadState } from './state.ts';

/** Why this participant may not speak here now, if it may not (T7). */
export function silencedBy(state: ThreadState, { actor }: Context): Refusal | undefined {
  const about = { thread: state.id, participant: actor.id };
  if (state.muted[actor.id] === 'hard') {
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

const ANYONE: ReadonlySet<ControlName> = new Set(['invite', 'prod', 'profile']);

/** Content never confers authority: who may send a control depends on the credential alone (T6). */
export function mayControl(
  state: ThreadState,
  name: ControlName,
  about: string | undefined,
  { actor }: Context,
): Refusal | undefined {
  if (actor.kind === 'human' || ANYONE.has(name)) return undefined;
  if (name === 'uninvite' && about === actor.id) return undefined;
  if (name === 'rename' && state.creator === actor.id) return undefined;
  return refuse(
    'forbidden',
    `"${name}" needs a human's credential; ${actor.id} is ${actor.kind === 'agent' ? 'an agent' : 'automation'}. Ask a human in this thread.`,
    { thread: state.id, participant: actor.id },
  );
}
