import type { Context } from '../../decider.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { closestName } from '../../text/nearest.ts';
import { getOwn } from '../../util/get-own.ts';
import type { Post } from '../commands.ts';
import type { Control, Profile } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { resolveInviteSpelling, resolveSpelling } from './spellings.ts';

type NameScope = Pick<ThreadState, 'participants'>;

/** Returns the post with every id respelled as this thread knows it. */
export function respellPost(state: ThreadState, post: Post, context: Context): Post {
  const { to } = post;
  const spell = (id: string) => resolveSpelling(state, id, context);
  const spellAll = (ids: readonly string[]) => [...new Set(ids.map(spell))];
  return {
    ...post,
    ...(to !== undefined && to !== 'all' && { to: typeof to === 'string' ? spell(to) : spellAll(to) }),
    ...(post.type === 'control' && { content: respellControl(state, post.content, context) }),
  } as Post;
}

function respellControl(state: ThreadState, control: Control, context: Context): Control {
  const spell = (id: string) => resolveSpelling(state, id, context);
  const spellAll = (ids: readonly string[]) => [...new Set(ids.map(spell))];
  if ('prod' in control) return { prod: spellAll(control.prod) };
  if ('mute' in control) return { mute: { ...control.mute, targets: spellAll(control.mute.targets) } };
  if ('unmute' in control) return { unmute: { targets: spellAll(control.unmute.targets) } };
  if ('uninvite' in control) return { uninvite: { participant_id: spell(control.uninvite.participant_id) } };
  if (!('invite' in control)) return control;
  return {
    invite: { ...control.invite, participant_id: resolveInviteSpelling(state, control.invite.participant_id, context) },
  };
}

/** Refuses a control that targets someone unknown here (T27). */
export function checkTargets(state: ThreadState, control: Control, context: Context): Refusal | undefined {
  return checkKnown(targetsOf(control), state, context, 'Nothing was changed.');
}

/** Refuses a task for someone unknown here, because it would stay open forever (T27). */
export function checkAssignees(
  state: ThreadState,
  { to = 'all' }: Extract<Post, { type: 'task' }>,
  context: Context,
): Refusal | undefined {
  const names = to === 'all' ? [] : [to].flat();
  return checkKnown(names, state, context, 'Nothing was posted; invite them first, or name somebody who is here.');
}

function checkKnown(
  ids: readonly string[],
  state: ThreadState,
  context: Context,
  outcome: string,
): Refusal | undefined {
  const unknownId = ids.find((id) => !isKnown(state, id, context));
  if (unknownId === undefined) return undefined;
  const suggestion = closestParticipant(state, unknownId);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  return refuse('unknown_participant', `Nobody in "${state.title}" is called "${unknownId}".${hint} ${outcome}`, {
    thread: state.id,
    participant: unknownId,
  });
}

function targetsOf(control: Control): readonly string[] {
  if ('prod' in control) return control.prod;
  if ('mute' in control) return control.mute.targets;
  if ('unmute' in control) return control.unmute.targets;
  return 'uninvite' in control ? [control.uninvite.participant_id] : [];
}

function isKnown({ participants, muted }: ThreadState, id: string, { credentialKind }: Context): boolean {
  return getOwn(participants, id) !== undefined || getOwn(muted, id) !== undefined || credentialKind(id) !== undefined;
}

/** The id that was probably meant by this id or nickname. */
function closestParticipant({ participants }: NameScope, word: string): string | undefined {
  const names = new Map(
    Object.entries(participants).flatMap(([id, { profile }]) => [
      ...(profile.nickname ? [[profile.nickname, id] as const] : []),
      [id, id] as const,
    ]),
  );
  const suggestion = closestName(word, [...names.keys()]);
  return suggestion === undefined ? undefined : names.get(suggestion);
}

/** The client of participants that are run by a model of the registry (C5). */
const MODEL_CLIENT = 'model';

/** Refuses a profile with a client or a model that the workspace does not have (T27). */
export function checkRunner(requested: Profile, current: Profile, { runners }: Context): Refusal | undefined {
  const available = runners?.();
  if (!available) return undefined;
  const isNew = (field: 'client' | 'model') => requested[field] !== undefined && requested[field] !== current[field];
  const client = requested.client ?? current.client;
  if (isNew('client') && client !== MODEL_CLIENT && !available.clients.includes(client as string))
    return refuseUnknownRunner('client', client as string, [MODEL_CLIENT, ...available.clients]);
  // A program chooses its own model names.
  const isRegistryModel = client === undefined || client === MODEL_CLIENT;
  if (isNew('model') && isRegistryModel && !available.models.includes(requested.model as string))
    return refuseUnknownRunner('model', requested.model as string, available.models);
  return undefined;
}

function refuseUnknownRunner(what: 'client' | 'model', name: string, names: readonly string[]): Refusal {
  const suggestion = closestName(name, names);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  const listing = names.map((each) => `"${each}"`).join(', ');
  return refuse(
    what === 'model' ? 'unknown_model' : 'unknown_client',
    `There is no ${what} "${name}" in this workspace.${hint} There ${names.length === 1 ? 'is' : 'are'} ${listing}. Leave out "${what}" for an agent that connects on its own. Nobody was invited.`,
  );
}
