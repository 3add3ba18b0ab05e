import type { Context } from '../../decider.ts';
import type { Event } from '../../events/event.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { own } from '../../util/get-own.ts';
import type { Profile } from '../schema.ts';
import type { Participant, ThreadState } from '../state.ts';
import { unknownRunner } from './names.ts';
import { unfitNickname } from './nicknames.ts';

type Field = keyof Profile;

/** What a human alone decides of a participant; a nickname is its own to choose (T22). */
const DECIDED_BY_HUMANS = [
  'kind', 'client', 'model', 'posting', 'roles', 'spec', 'every', 'instructions',
] as const satisfies Field[]; // biome-ignore format: a list to be read as one
/** What makes the server run a participant, or holds back what it writes: a person has none of it. */
const OF_AGENTS = ['client', 'model', 'posting', 'spec', 'every', 'instructions'] as const satisfies Field[];

/** A person: this id holds a human credential, or a human has written here under it. */
function isPerson(state: ThreadState, id: string, { credentialKind }: Context): boolean {
  return credentialKind(id) === 'human' || participantOf(state, id)?.human === true;
}

/** Why this profile may not be given to this participant, if it may not (T22). */
export function mayProfile(
  state: ThreadState,
  participant: string,
  wanted: Profile,
  context: Context,
): Refusal | undefined {
  const { actor } = context;
  const isOwn = actor.id === participant;
  const about = { thread: state.id, participant };
  const known = participantOf(state, participant)?.profile ?? {};
  const changed = DECIDED_BY_HUMANS.filter((field) => isChange(wanted[field], known[field]));

  if (isPerson(state, participant, context)) {
    const foreign = changed.filter((field) => !isPersonal(field, wanted, isOwn));
    if (foreign.length > 0)
      return refuse(
        'forbidden',
        `${participant} is a person here, so nobody sets ${listed(foreign)} for that id. Invite an agent under an id of its own.`,
        about,
      );
  }
  if (actor.kind === 'human')
    return ofAnotherKind(participant, wanted, context, about) ?? unknownRunner(wanted, known, context);

  if (!isOwn && (changed.length > 0 || isChange(wanted.nickname, known.nickname)))
    return refuse(
      'forbidden',
      `Only a human says what ${participant} is. Invite ${participant} without a profile, or ask a human in this thread.`,
      about,
    );
  const loosened = changed.filter((field) => !(field === 'posting' && wanted.posting === 'draft'));
  if (loosened.length > 0)
    return refuse(
      'forbidden',
      `Only a human sets ${listed(loosened)} of ${participant}; an agent may choose its nickname and may ask to draft ("posting": "draft"). Ask a human in this thread.`,
      about,
    );
  return unfitNickname(state, participant, wanted.nickname, context);
}

/** What the server itself can say of an id that an agent invites: what a human said of it where this came from (T22). */
export function profileFor(
  state: ThreadState,
  participant: string,
  source: ThreadState | undefined,
  { credentialKind }: Context,
): Profile {
  if (participantOf(state, participant)) return {};
  const said = (source && participantOf(source, participant)?.profile) ?? {};
  const kind = credentialKind(participant);
  if (kind === 'human') return personal({ ...said, kind });
  return kind === 'automation' ? { ...said, kind } : said;
}

/**
 * What an event says of a participant's profile, as far as its author may say it: a log of an earlier version, or of
 * someone else, may hold more than `decide` lets pass today.
 */
export function profileSaid(state: ThreadState, { from, meta }: Event, id: string, profile: Profile): Profile {
  const known = participantOf(state, id);
  const isOwn = from === id;
  if (known?.human) return isOwn ? personal(profile) : pick(profile, ['nickname']);
  if (meta.by === 'human' || meta.profiled) return profile;
  // Agents of earlier versions chose their own roles: these run nothing, and logs fold to what they meant.
  const harmless: readonly Field[] = ['nickname', 'roles'];
  if (isOwn) return pick(profile, profile.posting === 'draft' ? [...harmless, 'posting'] : harmless);
  // Side channels of earlier versions repeated what was said in the parent, without the mark.
  return !known && state.sideOf?.opener === from ? profile : {};
}

/** Whoever writes is what its credential says; a person is one for good. */
export function asWriter(written: Participant | undefined, by: Event['meta']['by']): Participant | undefined {
  const known = written?.bare ? withoutMark(written) : written;
  if (by === 'human') {
    if (known?.human) return known;
    return {
      invited: known?.invited ?? false,
      human: true,
      profile: { ...personal(known?.profile ?? {}), kind: 'human' },
    };
  }
  if (!known) return { invited: false, profile: by ? { kind: by } : {} };
  const isFalse = by !== undefined && known.profile.kind === 'human' && !known.human;
  return isFalse ? { ...known, profile: { ...known.profile, kind: by } } : known;
}

function withoutMark({ bare: _, ...participant }: Participant): Participant {
  return participant;
}

/** Ids are data, and one may be the name of something that every object has. */
function participantOf({ participants }: ThreadState, id: string): Participant | undefined {
  return own(participants, id);
}

/** What may be said of a person: that it is one, and what it says of itself. */
function isPersonal(field: Field, { kind }: Profile, isOwn: boolean): boolean {
  return field === 'kind' ? kind === 'human' : field === 'roles' && isOwn;
}

function personal(profile: Profile): Profile {
  const kept = Object.entries(profile).filter(([field]) => !(OF_AGENTS as readonly string[]).includes(field));
  return { ...Object.fromEntries(kept), ...(profile.kind && { kind: 'human' }) };
}

/** The kind of a participant is that of its credential, once it has one. */
function ofAnotherKind(
  id: string,
  { kind }: Profile,
  { credentialKind }: Context,
  about: { thread: string },
): Refusal | undefined {
  const held = credentialKind(id);
  if (kind === undefined || held === undefined || held === kind) return undefined;
  return refuse('forbidden', `${id} has a credential of kind "${held}", so it cannot be "${kind}" here.`, about);
}

function isChange(wanted: unknown, known: unknown): boolean {
  return wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(known);
}

function pick(profile: Profile, fields: readonly Field[]): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([field]) => fields.includes(field as Field)));
}

function listed(fields: readonly Field[]): string {
  return fields.map((field) => `"${field}"`).join(', ');
}
