import type { z } from 'zod';
import type { ContentOf } from '../events/define.ts';
import { emptyPool, type ThoughtPool } from '../pool/state.ts';
import type { Run } from '../runs/run.ts';
import type { ModelWait } from '../runs/schema.ts';
import type { GrowingList } from '../util/growing-list.ts';
import type {
  AuditWritten,
  BranchBegun,
  endReason,
  MindSpoke,
  pauseReason,
  RestartAnswered,
  RestartDetected,
  RoundEnded,
  TermsSet,
} from './events.ts';
import { DEFAULT_TERMS } from './terms/defaults.ts';
import type { ExchangeBudget, Terms } from './terms/terms.ts';
import type { ExchangeEntry, ExchangeStatusView, Objection, Restart } from './view/schema.ts';

export type MindSpokeContent = ContentOf<typeof MindSpoke>;
export type AuditContent = ContentOf<typeof AuditWritten>;
export type Drift = ContentOf<typeof RoundEnded>['drift'];
export type RestartEvidence = ContentOf<typeof RestartDetected>['evidence'][number];
export type TermsHashes = ContentOf<typeof TermsSet>['hashes'];
export type RestartAnswer = ContentOf<typeof RestartAnswered>;

/** The terms after one change. */
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
  /** The id of the round's last event; a rollback to this round forks there. */
  readonly event: string;
  readonly seq: number;
  readonly ts: string;
  /** The number of thoughts before and after the round, and likewise of calls. */
  readonly thoughts: readonly [number, number];
  readonly calls: readonly [number, number];
  readonly drift: Drift;
  readonly problem?: string;
}

/** One call of a mind. */
export interface MindCall {
  readonly event: string;
  readonly ts: string;
  readonly author: string;
  readonly content: MindSpokeContent;
  /** The highest thought id before this call; its own thoughts follow. */
  readonly thoughtsAfter: number;
}

export interface Audit {
  readonly event: string;
  readonly seq: number;
  readonly ts: string;
  readonly content: AuditContent;
}

type StopReason = z.infer<typeof pauseReason | typeof endReason>;

export interface ExchangeRun extends Run<ExchangeBudget, StopReason> {
  readonly seed: number;
}

/** The round in progress, or the next one. */
export interface CurrentRound {
  /** The pool when the round began; every mind of the round samples from it. */
  readonly pool: ThoughtPool;
  readonly calls: number;
  readonly spoken: number;
  readonly restarts: readonly RestartEvidence[];
}

/** The state of an exchange. Adding to any of its growing lists takes constant time. */
export interface Exchange {
  /** The title at creation. It serves as the question if none was given (X15). */
  readonly title: string;
  readonly terms: GrowingList<TermsVersion>;
  readonly policyBy: string;
  readonly pool: ThoughtPool;
  /** Thoughts hidden from sampling (X5). */
  readonly vetoed: ReadonlyMap<number, Objection>;
  readonly phase: ExchangeStatusView['phase'];
  readonly calls: GrowingList<MindCall>;
  readonly rounds: GrowingList<Round>;
  readonly audits: GrowingList<Audit>;
  readonly entries: GrowingList<ExchangeEntry>;
  readonly latest: {
    readonly audit?: ExchangeEntry;
    readonly observer: readonly ExchangeEntry[];
    readonly injections: readonly ExchangeEntry[];
    /** Restart requests, and what a policy did about them (X18, X20). */
    readonly restarts: readonly ExchangeEntry[];
  };
  readonly current: CurrentRound;
  /** An audit must be written before the next round, and the number of failed attempts at it. */
  readonly auditDue: boolean;
  readonly auditTries: number;
  /**
   * The seq where the audit fell due, whether one has failed since the last audit, and the round of the latest skip
   * (X17).
   */
  readonly auditDueSeq: number;
  readonly auditFailed: boolean;
  readonly auditSkipped: number;
  /** Someone requested an audit, whether or not rounds are running; `auditsAsked` counts the requests. */
  readonly auditAsked: boolean;
  /** The event of the latest request. */
  readonly auditAskedIn?: string;
  readonly auditsAsked: number;
  /** Set until the auditor's model can answer again, if no running rounds wait with it (D31). */
  readonly auditWaiting?: ModelWait | undefined;
  /** The audit the observer must answer before the rounds continue. */
  readonly awaiting?: number;
  /** The newest audit the observer has answered, required or not. */
  readonly answered?: number;
  readonly restarts: GrowingList<Restart>;
  /** The restart request without an answer. */
  readonly pending?: Restart;
  readonly disarmed: readonly number[];
  /** Mind calls that failed in a row. */
  readonly failures: number;
  readonly run?: ExchangeRun;
  readonly runs: number;
  readonly late: number;
  /** Agents may not write now (T7), and the number of holds so far. */
  readonly held: boolean;
  readonly holds: number;
  readonly halted?: Objection;
  readonly branch?: ContentOf<typeof BranchBegun>;
  /** The seq at which a fork to before the first round begins. */
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

/** The number of the round in progress, or of the next one. */
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

/** The terms in effect in a round: the newest whose effective round has come. */
export function termsAt({ terms }: Exchange, round: number): TermsVersion {
  for (let i = terms.length - 1; i >= 0; i--) {
    const version = terms.at(i) as TermsVersion;
    if (version.effective <= round) return version;
  }
  return terms.at(0) ?? NO_TERMS;
}

/** The terms in effect now. */
export function currentTerms(state: Exchange): TermsVersion {
  return termsAt(state, nextRound(state));
}

/**
 * The terms an audit is written under: those of its round, plus amendments for the auditor since the audit fell due, or
 * all of them if the audit has failed (X17).
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

/** The newest terms, in effect or not: an amendment changes these. */
export function newestTerms({ terms }: Exchange): TermsVersion {
  return terms.at(-1) ?? NO_TERMS;
}

/** Terms announced in a round but not in effect yet, or in effect for the first time in a branch (X3). */
export function announcedTerms(state: Exchange, round: number): readonly TermsVersion[] {
  const announcements: TermsVersion[] = [];
  for (let i = state.terms.length - 1; i > 0; i--) {
    const version = state.terms.at(i) as TermsVersion;
    // Terms in effect from round 1 need no announcement: no mind has seen others (X21).
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
