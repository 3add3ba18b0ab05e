import type { Event } from '../../events/event.ts';
import { own } from '../../util/get-own.ts';
import type { Profile } from '../schema.ts';
import type { ThreadState } from '../state.ts';
import { THREAD_AUDITOR_1 } from './spec-1.ts';

/** The role that makes a participant the auditor of a thread: it writes audits by a specification all can read (T21). */
export const AUDITOR = 'auditor';

export function isAuditor(state: ThreadState, participant: string): boolean {
  return own(state.participants, participant)?.profile.roles?.includes(AUDITOR) ?? false;
}

/** An auditor that is invited without a specification is given the usual one, so that it stands in the log. */
export function withSpec(state: ThreadState, participant: string, profile: Profile): Profile {
  const known = { ...own(state.participants, participant)?.profile, ...profile };
  if (!known.roles?.includes(AUDITOR) || known.client !== 'model' || known.spec !== undefined) return profile;
  return { ...profile, spec: THREAD_AUDITOR_1 };
}

/** How many messages of others there were since each wrote that is woken by their number. */
export function countedFor(state: ThreadState, { from }: Event): ThreadState {
  const counting = Object.entries(state.participants).filter(([, { profile }]) => profile.every !== undefined);
  if (counting.length === 0) return state;
  const since = counting.map(([id]) => [id, id === from ? 0 : (own(state.since, id) ?? 0) + 1] as const);
  return { ...state, since: Object.fromEntries(since) };
}

/** Whether it is time for this one, with the reason in words. */
export function dueAfter(state: ThreadState, participant: string): string | undefined {
  const every = own(state.participants, participant)?.profile.every;
  const since = own(state.since, participant) ?? 0;
  if (every === undefined || since === 0 || since % every !== 0) return undefined;
  return `${since} ${since === 1 ? 'message' : 'messages'} since ${participant} wrote`;
}

const CITATION = /#(\d{1,9})(?!\d)/g;

/** A message by its number; of what a kind of thread adds, also where in its room it stands. */
export interface Numbered {
  readonly seq: number;
  readonly event: string;
  readonly at?: string;
}

/** What an audit was written from: the messages it was shown, and the SHA-256 of its specification. */
export interface AuditBasis {
  readonly seen: readonly Numbered[];
  readonly spec: string;
}

/** What an audit rests on: the messages it names that it was shown, and the numbers that are none of them. */
export interface AuditFacts {
  readonly cites: readonly Numbered[];
  readonly unknown: readonly number[];
  /** How many messages it was shown. */
  readonly shown: number;
  /** SHA-256 of the specification it was written by. */
  readonly spec: string;
}

export function auditFacts(text: string, { seen, spec }: AuditBasis): AuditFacts {
  const bySeq = new Map(seen.map((each) => [each.seq, each]));
  const named = [...new Set(Array.from(text.matchAll(CITATION), ([, seq]) => Number(seq)))];
  return {
    cites: named.flatMap((seq) => bySeq.get(seq) ?? []),
    unknown: named.filter((seq) => !bySeq.has(seq)),
    shown: seen.length,
    spec,
  };
}

/** What the event of a draft says of it, if it says it: events of others' files may say anything. */
export function auditBasisIn(said: unknown): AuditBasis | undefined {
  const { seen, spec } = (said ?? {}) as { seen?: unknown; spec?: unknown };
  if (!Array.isArray(seen) || typeof spec !== 'string') return undefined;
  if (!seen.every(isNumbered)) return undefined;
  return { seen: seen.map(({ seq, event, at }) => ({ seq, event, ...(at !== undefined && { at }) })), spec };
}

function isNumbered(said: unknown): said is Numbered {
  const { seq, event, at } = (said ?? {}) as Partial<Numbered>;
  return Number.isSafeInteger(seq) && typeof event === 'string' && (at === undefined || typeof at === 'string');
}
