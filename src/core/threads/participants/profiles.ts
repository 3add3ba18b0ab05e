import type { Context } from '../../decider.ts';
import type { Event } from '../../events/event.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import type { Profile } from '../schema.ts';
import type { Participant, ThreadState } from '../state.ts';
import { checkRunner } from './names.ts';
import { checkNickname } from './nicknames.ts';

type ProfileField = keyof Profile;

/** What a human alone decides of a participant; a nickname is its own to choose (T22). */
const HUMAN_ONLY_FIELDS = [
  'kind', 'client', 'model', 'posting', 'roles', 'spec', 'every', 'instructions',
] as const satisfies ProfileField[]; // biome-ignore format: a list to be read as one
/** What makes the server run a participant, or holds back what it writes: a person has none of it. */
const AGENT_FIELDS = ['client', 'model', 'posting', 'spec', 'every', 'instructions'] as const satisfies ProfileField[];

/** A person: this id holds a human credential, or a human has written here under it. */
function isPerson(state: ThreadState, id: string, { credentialKind }: Context): boolean {
  return credentialKind(id) === 'human' || participantOf(state, id)?.human === true;
}

/** Why this profile may not be given to this participant, if it may not (T22). */
export function checkProfile(
  state: ThreadState,
  participant: string,
  requested: Profile,
  context: Context,
): Refusal | undefined {
  const { actor } = context;
  const isSelf = actor.id === participant;
  const details = { thread: state.id, participant };
  const current = participantOf(state, participant)?.profile ?? {};
  const changedFields = HUMAN_ONLY_FIELDS.filter((field) => isChange(requested[field], current[field]));

  if (isPerson(state, participant, context)) {
    const forbidden = changedFields.filter((field) => !isPersonal(field, requested, isSelf));
    if (forbidden.length > 0)
      return refuse(
        'forbidden',
        `${participant} is a person here, so nobody sets ${quoteFields(forbidden)} for that id. Invite an agent under an id of its own.`,
        details,
      );
  }
  if (actor.kind === 'human')
    return checkCredentialKind(participant, requested, context, details) ?? checkRunner(requested, current, context);

  if (!isSelf && (changedFields.length > 0 || isChange(requested.nickname, current.nickname)))
    return refuse(
      'forbidden',
      `Only a human says what ${participant} is. Invite ${participant} without a profile, or ask a human in this thread.`,
      details,
    );
  const restricted = changedFields.filter((field) => !(field === 'posting' && requested.posting === 'draft'));
  if (restricted.length > 0)
    return refuse(
      'forbidden',
      `Only a human sets ${quoteFields(restricted)} of ${participant}; an agent may choose its nickname and may ask to draft ("posting": "draft"). Ask a human in this thread.`,
      details,
    );
  return checkNickname(state, participant, requested.nickname, context);
}

/** What the server itself can say of an id that an agent invites: what a human said of it where this came from (T22). */
export function knownProfileFor(
  state: ThreadState,
  participant: string,
  source: ThreadState | undefined,
  { credentialKind }: Context,
): Profile {
  if (participantOf(state, participant)) return {};
  const inherited = (source && participantOf(source, participant)?.profile) ?? {};
  const kind = credentialKind(participant);
  if (kind === 'human') return personalProfile({ ...inherited, kind });
  return kind === 'automation' ? { ...inherited, kind } : inherited;
}

/**
 * What an event says of a participant's profile, as far as its author may say it: a log of an earlier version, or of
 * someone else, may hold more than `decide` lets pass today.
 */
export function allowedProfile(
  state: ThreadState,
  { from, meta }: Pick<Event, 'from' | 'meta'>,
  id: string,
  profile: Profile,
): Profile {
  const participant = participantOf(state, id);
  const isSelf = from === id;
  if (participant?.human) return isSelf ? personalProfile(profile) : pickFields(profile, ['nickname']);
  if (meta.by === 'human' || meta.profiled) return profile;
  // Agents of earlier versions chose their own roles: these run nothing, and logs fold to what they meant.
  const harmless: readonly ProfileField[] = ['nickname', 'roles'];
  if (isSelf) return pickFields(profile, profile.posting === 'draft' ? [...harmless, 'posting'] : harmless);
  // Side channels of earlier versions repeated what was said in the parent, without the mark.
  return !participant && state.sideOf?.opener === from ? profile : {};
}

/** Whoever writes is what its credential says; a person is one for good. */
export function participantAfterWriting(
  existing: Participant | undefined,
  by: Event['meta']['by'],
): Participant | undefined {
  const participant = existing?.bare ? withoutBare(existing) : existing;
  if (by === 'human') {
    if (participant?.human) return participant;
    return {
      invited: participant?.invited ?? false,
      human: true,
      profile: { ...personalProfile(participant?.profile ?? {}), kind: 'human' },
    };
  }
  if (!participant) return { invited: false, profile: by ? { kind: by } : {} };
  const isMislabelled = by !== undefined && participant.profile.kind === 'human' && !participant.human;
  return isMislabelled ? { ...participant, profile: { ...participant.profile, kind: by } } : participant;
}

function withoutBare({ bare: _, ...participant }: Participant): Participant {
  return participant;
}

/** Ids are data, and one may be the name of something that every object has. */
function participantOf({ participants }: ThreadState, id: string): Participant | undefined {
  return getOwn(participants, id);
}

/** What may be said of a person: that it is one, and what it says of itself. */
function isPersonal(field: ProfileField, { kind }: Profile, isSelf: boolean): boolean {
  return field === 'kind' ? kind === 'human' : field === 'roles' && isSelf;
}

function personalProfile(profile: Profile): Profile {
  const entries = Object.entries(profile).filter(([field]) => !(AGENT_FIELDS as readonly string[]).includes(field));
  return { ...Object.fromEntries(entries), ...(profile.kind && { kind: 'human' }) };
}

/** The kind of a participant is that of its credential, once it has one. */
function checkCredentialKind(
  id: string,
  { kind }: Profile,
  { credentialKind }: Context,
  details: { thread: string },
): Refusal | undefined {
  const credential = credentialKind(id);
  if (kind === undefined || credential === undefined || credential === kind) return undefined;
  return refuse(
    'forbidden',
    `${id} has a credential of kind "${credential}", so it cannot be "${kind}" here.`,
    details,
  );
}

function isChange(requested: unknown, current: unknown): boolean {
  return requested !== undefined && JSON.stringify(requested) !== JSON.stringify(current);
}

function pickFields(profile: Profile, fields: readonly ProfileField[]): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([field]) => fields.includes(field as ProfileField)));
}

function quoteFields(fields: readonly ProfileField[]): string {
  return fields.map((field) => `"${field}"`).join(', ');
}
