import type { ContentOf } from '../events/define.ts';
import { emptyPool, type ThoughtPool } from '../pool/state.ts';
import type { Run } from '../runs/run.ts';
import type { ModelWait } from '../runs/wait.ts';
import type { GrowingList } from '../util/growing-list.ts';
import type {
  AuditWritten,
  BranchBegun,
  MindSpoke,
  RestartAnswered,
  RestartDetected,
  RoundEnded,
  TermsSet,
} from './events.ts';
import { DEFAULT_TERMS } from './terms/defaults.ts';
import type { ExchangeBudget, Terms } from './terms/terms.ts';

export type MindSpokeContent = ContentOf<typeof MindSpoke>;
export type AuditContent = ContentOf<typeof AuditWritten>;
export type Drift = ContentOf<typeof RoundEnded>['drift'];
export type RestartEvidence = ContentOf<typeof RestartDetected>['evidence'][number];
export type TermsHashes = ContentOf<typeof TermsSet>['hashes'];
export type RestartAnswer = ContentOf<typeof RestartAnswered>;

/** The terms as one change left them. */
export interface TermsVersion {
  readonly version: number;
  readonly terms: Terms;
  readonly hashes: TermsHashes;
  readonly changed: readonly (keyof Terms)[];
  readonly announced: number;
  readonly effective: number;
  readonly by: string;
  readonly ts: string;
  readonly seq: number;
  readonly reason?: string;
}

export interface Round {
  readonly round: number;
  readonly run: number;
  /** Its last event: where a fork that rolls back to it begins. */
  readonly event: string;
  readonly seq: number;
  readonly ts: string;
  /** Thoughts and calls there had been before it, and after it. */
  readonly thoughts: readonly [number, number];
  readonly calls: readonly [number, number];
  readonly drift: Drift;
  readonly problem?: string;
}

/** One time a mind was asked. */
export interface MindCall {
  readonly event: string;
  readonly ts: string;
  readonly author: string;
  readonly content: MindSpokeContent;
  /** The ids of its thoughts begin behind this one. */
  readonly thoughtsAfter: number;
}

export interface Audit {
  readonly event: string;
  readonly seq: number;
  readonly ts: string;
  readonly content: AuditContent;
}

/** What is said besides thoughts (X2): shown, never sampled and never clustered. */
export type ExchangeEntryType =
  | 'injection'
  | 'audit'
  | 'auditor_role'
  | 'observer_role'
  | 'observer'
  | 'restart'
  | 'policy';
export interface ExchangeEntry {
  readonly type: ExchangeEntryType;
  readonly event: string;
  readonly ts: string;
  readonly by: string;
  /** Rounds there had been. */
  readonly round: number;
  readonly text: string;
}

export interface Restart {
  readonly restart: number;
  readonly round: number;
  readonly ts: string;
  readonly evidence: readonly RestartEvidence[];
  readonly policy: Terms['policy'];
  readonly answer?: RestartAnswer & { readonly by: string; readonly ts: string };
}

export interface ExchangeRun extends Run<ExchangeBudget> {
  readonly seed: number;
}

/** The round that is under way or would be next. */
export interface CurrentRound {
  /** As it was when the round began: every mind of it draws from the same. */
  readonly pool: ThoughtPool;
  readonly calls: number;
  readonly spoken: number;
  readonly restarts: readonly RestartEvidence[];
}

export interface ThoughtVeto {
  readonly by: string;
  readonly reason: string;
  readonly ts: string;
}

/** What an exchange has come to. Everything that grows does so in constant time. */
export interface Exchange {
  /** As it was created: the question of an exchange that was begun without one (X15). */
  readonly title: string;
  readonly terms: GrowingList<TermsVersion>;
  readonly policyBy: string;
  readonly pool: ThoughtPool;
  /** Hidden from sampling (X5). */
  readonly vetoed: ReadonlyMap<number, ThoughtVeto>;
  readonly phase: 'free_running' | 'structured';
  readonly calls: GrowingList<MindCall>;
  readonly rounds: GrowingList<Round>;
  readonly audits: GrowingList<Audit>;
  readonly entries: GrowingList<ExchangeEntry>;
  readonly latest: {
    readonly audit?: ExchangeEntry;
    readonly observer: readonly ExchangeEntry[];
    readonly injections: readonly ExchangeEntry[];
    /** Requests for a restart, and what a policy did about them (X18, X20). */
    readonly restarts: readonly ExchangeEntry[];
  };
  readonly current: CurrentRound;
  /** An audit is to be written before the next round; tries that failed. */
  readonly auditDue: boolean;
  readonly auditTries: number;
  /** Where it fell due, whether it has failed since the last that was written, and the round of the latest skipped (X17). */
  readonly auditDueSeq: number;
  readonly auditFailed: boolean;
  readonly auditSkipped: number;
  /** Somebody asked for one, whether or not rounds are under way; how often that was. */
  readonly auditAsked: boolean;
  /** The event that asked for the newest that was. */
  readonly auditAskedIn?: string;
  readonly auditsAsked: number;
  /** Until its model can answer again, where no rounds are under way that would wait with it (D31). */
  readonly auditWaiting?: ModelWait | undefined;
  /** The audit the observer must answer before it goes on. */
  readonly awaiting?: number;
  /** The newest audit that the observer has answered, asked to or not. */
  readonly answered?: number;
  readonly restarts: GrowingList<Restart>;
  /** The restart nobody has answered. */
  readonly pending?: Restart;
  readonly disarmed: readonly number[];
  /** Calls of minds in a row that came to nothing. */
  readonly failures: number;
  readonly run?: ExchangeRun;
  readonly runs: number;
  readonly late: number;
  /** Agents may not write now (T7); how often that began. */
  readonly held: boolean;
  readonly holds: number;
  readonly halted?: { readonly by: string; readonly reason: string; readonly ts: string };
  readonly branch?: ContentOf<typeof BranchBegun>;
  /** Where a fork that goes back to before the first round begins. */
  readonly beginning: number;
}

export function initialExchange(): Exchange {
  return {
    title: '',
    terms: [],
    policyBy: '',
    pool: emptyPool,
    vetoed: new Map(),
    phase: 'free_running',
    calls: [],
    rounds: [],
    audits: [],
    entries: [],
    latest: { observer: [], injections: [], restarts: [] },
    current: { pool: emptyPool, calls: 0, spoken: 0, restarts: [] },
    auditDue: false,
    auditTries: 0,
    auditDueSeq: 0,
    auditFailed: false,
    auditSkipped: 0,
    auditAsked: false,
    auditsAsked: 0,
    restarts: [],
    disarmed: [],
    failures: 0,
    runs: 0,
    late: 0,
    held: false,
    holds: 0,
    beginning: 0,
  };
}

/** The number of the round that is under way or would be next. */
export function nextRound({ rounds }: Exchange): number {
  return rounds.length + 1;
}

const NO_TERMS: TermsVersion = {
  version: 0,
  terms: DEFAULT_TERMS,
  hashes: { auditor_spec: '', mind_prompt: '', observer_role: '', terms: '' },
  changed: [],
  announced: 1,
  effective: 1,
  by: '',
  ts: '',
  seq: 0,
};

/** Those that hold in a round: the newest that have come into effect. */
export function termsAt({ terms }: Exchange, round: number): TermsVersion {
  for (let i = terms.length - 1; i >= 0; i--) {
    const version = terms.at(i) as TermsVersion;
    if (version.effective <= round) return version;
  }
  return terms.at(0) ?? NO_TERMS;
}

/** Those that hold now. */
export function currentTerms(state: Exchange): TermsVersion {
  return termsAt(state, nextRound(state));
}

/**
 * What an audit is written by: the terms of its round, with what was amended for the auditor since the audit fell due, or
 * at all if it has failed (X17).
 */
export function auditTerms(state: Exchange): TermsVersion {
  const base = termsAt(state, Math.max(1, state.rounds.length));
  const laterVersions = state.terms
    .slice()
    .filter(({ version, seq }) => version > base.version && (state.auditFailed || seq > state.auditDueSeq));
  const newestWith = (name: keyof Terms) => laterVersions.findLast(({ changed }) => changed.includes(name)) ?? base;
  const spec = newestWith('auditor_spec');
  const { auditor_model } = newestWith('auditor_model').terms;
  return {
    ...base,
    terms: { ...base.terms, auditor_spec: spec.terms.auditor_spec, auditor_model },
    hashes: { ...base.hashes, auditor_spec: spec.hashes.auditor_spec },
  };
}

/** Rounds since the last audit that was written or skipped. */
export function roundsSinceAudit({ audits, auditSkipped }: Exchange, round: number): number {
  return round - Math.max(audits.at(-1)?.content.round ?? 0, auditSkipped);
}

/** The newest, whether or not they hold yet: what a change changes. */
export function newestTerms({ terms }: Exchange): TermsVersion {
  return terms.at(-1) ?? NO_TERMS;
}

/** Announced in a round and not yet holding in it, or holding for the first time in a branch (X3). */
export function announcedTerms(state: Exchange, round: number): readonly TermsVersion[] {
  const announcements: TermsVersion[] = [];
  for (let i = state.terms.length - 1; i > 0; i--) {
    const version = state.terms.at(i) as TermsVersion;
    // Before the first round nobody knew anything else (X21).
    if (version.effective < round || (version.effective === 1 && !state.branch)) break;
    if (version.announced <= round && (version.effective > round || version.announced === version.effective)) {
      announcements.unshift(version);
    }
  }
  return announcements;
}

export function isControl({ branch }: Exchange): boolean {
  return branch?.kind === 'control';
}
