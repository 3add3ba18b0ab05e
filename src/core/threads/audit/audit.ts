import type { Event } from '../../events/event.ts';
import { getOwn } from '../../util/get-own.ts';
import type { Profile } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { AUDITOR_SPEC_1 } from './spec-1.ts';

/**
 * The role that makes a participant the auditor of a thread: it writes audits by a specification that everyone can read
 * (T21).
 */
export const AUDITOR_ROLE = 'auditor';

export function isAuditor(state: ThreadState, participant: string): boolean {
  return getOwn(state.participants, participant)?.profile.roles?.includes(AUDITOR_ROLE) ?? false;
}

/** An auditor invited without a specification gets the default one, so that the log records it. */
export function withAuditSpec(state: ThreadState, participant: string, profile: Profile): Profile {
  const merged = { ...getOwn(state.participants, participant)?.profile, ...profile };
  if (!merged.roles?.includes(AUDITOR_ROLE) || merged.client !== 'model' || merged.spec !== undefined) return profile;
  return { ...profile, spec: AUDITOR_SPEC_1 };
}

/** For each participant with `every`, counts the messages of others since it last wrote. */
export function countMessages(state: ThreadState, { from }: Event): ThreadState {
  const scheduled = Object.entries(state.participants).filter(([, { profile }]) => profile.every !== undefined);
  if (scheduled.length === 0) return state;
  const since = scheduled.map(([id]) => [id, id === from ? 0 : (getOwn(state.since, id) ?? 0) + 1] as const);
  return { ...state, since: Object.fromEntries(since) };
}

/** The reason, in words, why a participant with `every` is due; undefined if it is not. */
export function dueReason(state: ThreadState, participant: string): string | undefined {
  const every = getOwn(state.participants, participant)?.profile.every;
  const since = getOwn(state.since, participant) ?? 0;
  if (every === undefined || since === 0 || since % every !== 0) return undefined;
  return `${since} ${since === 1 ? 'message' : 'messages'} since ${participant} wrote`;
}

const CITATION = /#(\d{1,9})(?!\d)/g;

/** A reference to a message by its number. For messages that a mode adds, it also has their place in the room. */
export interface MessageRef {
  readonly seq: number;
  readonly event: string;
  readonly at?: string;
}

/** The input of an audit: the messages the auditor saw, and the SHA-256 of its specification. */
export interface AuditBasis {
  readonly seen: readonly MessageRef[];
  readonly spec: string;
}

/** The sources of an audit: the messages it cites and had seen, and the cited numbers that match none of them. */
export interface AuditFacts {
  readonly cites: readonly MessageRef[];
  readonly unknown: readonly number[];
  /** How many messages the auditor saw. */
  readonly shown: number;
  /** SHA-256 of the specification. */
  readonly spec: string;
}

export function auditFactsOf(text: string, { seen, spec }: AuditBasis): AuditFacts {
  const bySeq = new Map(seen.map((each) => [each.seq, each]));
  const citedSeqs = [...new Set(Array.from(text.matchAll(CITATION), ([, seq]) => Number(seq)))];
  return {
    cites: citedSeqs.flatMap((seq) => bySeq.get(seq) ?? []),
    unknown: citedSeqs.filter((seq) => !bySeq.has(seq)),
    shown: seen.length,
    spec,
  };
}

/**
 * Reads the audit basis in the event of a draft, if there is a valid one: events in imported files may contain
 * anything.
 */
export function readAuditBasis(value: unknown): AuditBasis | undefined {
  const { seen, spec } = (value ?? {}) as { seen?: unknown; spec?: unknown };
  if (!Array.isArray(seen) || typeof spec !== 'string') return undefined;
  if (!seen.every(isMessageRef)) return undefined;
  return { seen: seen.map(({ seq, event, at }) => ({ seq, event, ...(at !== undefined && { at }) })), spec };
}

function isMessageRef(value: unknown): value is MessageRef {
  const { seq, event, at } = (value ?? {}) as Partial<MessageRef>;
  return Number.isSafeInteger(seq) && typeof event === 'string' && (at === undefined || typeof at === 'string');
}
