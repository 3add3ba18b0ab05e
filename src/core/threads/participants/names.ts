import type { Context } from '../../decider.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { nearest } from '../../text/nearest.ts';
import { own } from '../../util/get-own.ts';
import type { Post } from '../commands.ts';
import type { Control, Profile } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { spelledHere, spelledToInvite } from './spellings.ts';

type Named = Pick<ThreadState, 'participants'>;

/** The same post with every id in it spelled as it is known here. */
export function respelled(state: ThreadState, post: Post, context: Context): Post {
  const { to } = post;
  const spell = (id: string) => spelledHere(state, id, context);
  const spellAll = (ids: readonly string[]) => [...new Set(ids.map(spell))];
  return {
    ...post,
    ...(to !== undefined && to !== 'all' && { to: typeof to === 'string' ? spell(to) : spellAll(to) }),
    ...(post.type === 'control' && { content: respelledControl(state, post.content, context) }),
  } as Post;
}

function respelledControl(state: ThreadState, control: Control, context: Context): Control {
  const spell = (id: string) => spelledHere(state, id, context);
  const spellAll = (ids: readonly string[]) => [...new Set(ids.map(spell))];
  if ('prod' in control) return { prod: spellAll(control.prod) };
  if ('mute' in control) return { mute: { ...control.mute, targets: spellAll(control.mute.targets) } };
  if ('unmute' in control) return { unmute: { targets: spellAll(control.unmute.targets) } };
  if ('uninvite' in control) return { uninvite: { participant_id: spell(control.uninvite.participant_id) } };
  if (!('invite' in control)) return control;
  return {
    invite: { ...control.invite, participant_id: spelledToInvite(state, control.invite.participant_id, context) },
  };
}

/** Why a control cannot be about these participants: one of them is nobody here (T27). */
export function unknownTarget(state: ThreadState, control: Control, context: Context): Refusal | undefined {
  return unknownAmong(targetsOf(control), state, context, 'Nothing was changed.');
}

/** Why a task cannot be for these: one of them is nobody here, and it would stay open for good (T27). */
export function unknownAssignee(
  state: ThreadState,
  { to = 'all' }: Extract<Post, { type: 'task' }>,
  context: Context,
): Refusal | undefined {
  const names = to === 'all' ? [] : [to].flat();
  return unknownAmong(names, state, context, 'Nothing was posted; invite them first, or name somebody who is here.');
}

function unknownAmong(
  ids: readonly string[],
  state: ThreadState,
  context: Context,
  outcome: string,
): Refusal | undefined {
  const unknown = ids.find((id) => !isKnown(state, id, context));
  if (unknown === undefined) return undefined;
  const close = nearestHere(state, unknown);
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`;
  return refuse('unknown_participant', `Nobody in "${state.title}" is called "${unknown}".${hint} ${outcome}`, {
    thread: state.id,
    participant: unknown,
  });
}

function targetsOf(control: Control): readonly string[] {
  if ('prod' in control) return control.prod;
  if ('mute' in control) return control.mute.targets;
  if ('unmute' in control) return control.unmute.targets;
  return 'uninvite' in control ? [control.uninvite.participant_id] : [];
}

function isKnown({ participants, muted }: ThreadState, id: string, { credentialKind }: Context): boolean {
  return own(participants, id) !== undefined || own(muted, id) !== undefined || credentialKind(id) !== undefined;
}

/** By id or nickname, the id that was probably meant. */
function nearestHere({ participants }: Named, word: string): string | undefined {
  const names = new Map(
    Object.entries(participants).flatMap(([id, { profile }]) => [
      ...(profile.nickname ? [[profile.nickname, id] as const] : []),
      [id, id] as const,
    ]),
  );
  const close = nearest(word, [...names.keys()]);
  return close === undefined ? undefined : names.get(close);
}

/** The client that means: a model of the registry answers (C5). */
const MODEL = 'model';

/** Why nobody could be run by this profile: it names a client or a model that the workspace does not have (T27). */
export function unknownRunner(wanted: Profile, known: Profile, { runners }: Context): Refusal | undefined {
  const there = runners?.();
  if (!there) return undefined;
  const isNew = (field: 'client' | 'model') => wanted[field] !== undefined && wanted[field] !== known[field];
  const client = wanted.client ?? known.client;
  if (isNew('client') && client !== MODEL && !there.clients.includes(client as string))
    return notThere('client', client as string, [MODEL, ...there.clients]);
  // A program names its models itself.
  const isOurs = client === undefined || client === MODEL;
  if (isNew('model') && isOurs && !there.models.includes(wanted.model as string))
    return notThere('model', wanted.model as string, there.models);
  return undefined;
}

function notThere(what: 'client' | 'model', name: string, names: readonly string[]): Refusal {
  const close = nearest(name, names);
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`;
  const all = names.map((each) => `"${each}"`).join(', ');
  return refuse(
    what === 'model' ? 'unknown_model' : 'unknown_client',
    `There is no ${what} "${name}" in this workspace.${hint} There ${names.length === 1 ? 'is' : 'are'} ${all}. Leave "${what}" out for an agent that connects by itself. Nobody was invited.`,
  );
}
