import type { Context } from '../../decider.ts';
import type { Event } from '../../events/event.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import type { Profile } from '../schema.ts';
import type { Participant, ThreadState } from '../state.ts';
import { checkRunner } from './names.ts';
import { checkNickname } from './nicknames.ts';

type ProfileField = keyof Profile;

/** Profile fields that only a human may set; a participant may choose its own nickname (T22). */
const HUMAN_ONLY_FIELDS = [
  'kind', 'client', 'model', 'posting', 'roles', 'spec', 'every', 'instructions',
] as const satisfies ProfileField[]; // biome-ignore format: a list to be read as one
/** Fields that make the server run a participant, or hold back its posts: a person has none of them. */
const AGENT_FIELDS = ['client', 'model', 'posting', 'spec', 'every', 'instructions'] as const satisfies ProfileField[];

/** A person: this id holds a human credential, or a human has written here under it. */
function isPerson(state: ThreadState, id: string, { credentialKind }: Context): boolean {
  return credentialKind(id) === 'human' || participantOf(state, id)?.human === true;
}

/** Refuses a profile that the actor may not give to this participant (T22). */
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
        `${participant} is a person here, so nobody can set ${quoteFields(forbidden)} for that ID. Invite an agent under its own ID.`,
        details,
      );
  }
  if (actor.kind === 'human')
    return checkCredentialKind(participant, requested, context, details) ?? checkRunner(requested, current, context);

  if (!isSelf && (changedFields.length > 0 || isChange(requested.nickname, current.nickname)))
    return refuse(
      'forbidden',
      `Only a human may set a profile. Invite ${participant} without one, or ask a human in this thread.`,
      details,
    );
  const restricted = changedFields.filter((field) => !(field === 'posting' && requested.posting === 'draft'));
  if (restricted.length > 0)
    return refuse(
      'forbidden',
      `Only a human may set ${quoteFields(restricted)} of ${participant}; an agent may choose its nickname and switch itself to drafting ("posting": "draft"). Ask a human in this thread.`,
      details,
    );
  return checkNickname(state, participant, requested.nickname, context);
}

/**
 * The profile that the server knows for an id that an agent invites: what a human said about it in the source thread
 * (T22).
 */
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
 * The part of a profile that the author of an event may set: a log of an earlier version, or of someone else, may
 * contain more than `decide` accepts today.
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
  // Agents of earlier versions chose their own roles. Roles run nothing, so these logs keep their meaning.
  const harmless: readonly ProfileField[] = ['nickname', 'roles'];
  if (isSelf) return pickFields(profile, profile.posting === 'draft' ? [...harmless, 'posting'] : harmless);
  // Side channels of earlier versions copied profiles from the parent without the `profiled` mark.
  return !participant && state.sideOf?.opener === from ? profile : {};
}

/** Writing sets a participant's kind to that of its credential; a person stays a person. */
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

/** Ids are data, and an id may be the name of an inherited property such as `constructor`. */
function participantOf({ participants }: ThreadState, id: string): Participant | undefined {
  return getOwn(participants, id);
}

/** Whether a person may have this field: `kind: human` always, and roles that it gives itself. */
function isPersonal(field: ProfileField, { kind }: Profile, isSelf: boolean): boolean {
  return field === 'kind' ? kind === 'human' : field === 'roles' && isSelf;
}

function personalProfile(profile: Profile): Profile {
  const entries = Object.entries(profile).filter(([field]) => !(AGENT_FIELDS as readonly string[]).includes(field));
  return { ...Object.fromEntries(entries), ...(profile.kind && { kind: 'human' }) };
}

/** If a participant has a credential, its kind must match. */
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
