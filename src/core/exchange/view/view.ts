import { clusterOf } from '../../pool/members.ts';
import { activeSizes, isActive, thoughtOf } from '../../pool/state.ts';
import type { Waiting } from '../../runs/wait.ts';
import { marked } from '../entries.ts';
import { LIMITS, POWERS, type Role } from '../powers.ts';
import { auditUnderWay } from '../rounds/runs.ts';
import {
  type Audit,
  announcedAt,
  type Call,
  type Entry,
  type EntryType,
  type Exchange,
  isControl,
  nextRound,
  type Restart,
  type Round,
  type Run,
  sinceAudit,
  type TermsVersion,
  termsNow,
} from '../state.ts';
import { AUDITOR, TEXTS, termsText } from '../terms/terms.ts';
import { type Attention, attentionOf } from './attention.ts';

export interface Page {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ExchangeStatus {
  /** What it is about (X15). */
  readonly question: string;
  readonly phase: Exchange['phase'];
  /** Rounds that are over, and how many minds of the next one have spoken. */
  readonly round: number;
  readonly spoken: number;
  readonly attention: Attention;
  readonly minds: readonly { readonly id: string; readonly model: string | null }[];
  readonly thoughts: number;
  readonly active: number;
  readonly clusters: number;
  readonly vetoed: readonly number[];
  readonly audits: number;
  readonly audit_due: boolean;
  /** The audit that is being written, or will be once the round is over. */
  readonly auditing?: { readonly audit: number; readonly after_round?: true; readonly waiting?: Waiting };
  /** Rounds until the next audit is due. */
  readonly next_audit: number;
  readonly terms: number;
  readonly late: number;
  readonly run?: RunView;
  /** The audit that waits for the observer's answer. */
  readonly awaiting?: number;
  /** The request for a restart that waits for a decision. */
  readonly pending?: Restart;
  readonly restarts: readonly Restart[];
  readonly halted?: NonNullable<Exchange['halted']>;
  readonly branch?: NonNullable<Exchange['branch']>;
  readonly control: boolean;
}

export interface RunView extends Omit<Run, 'resumed' | 'asked' | 'by' | 'spent'> {
  readonly spent: { readonly rounds: number; readonly tokens: number; readonly money: number };
  readonly since: string;
  /** It would go on, and no server does its work. */
  readonly interrupted?: true;
}

/** `isServed`: whether anybody is there to do what the state asks for. */
export function exchangeStatus(state: Exchange, isServed = true): ExchangeStatus {
  const { run, awaiting, pending, halted, branch, pool, rounds } = state;
  const { terms, version } = termsNow(state);
  return {
    question: terms.question,
    phase: state.phase,
    round: rounds.length,
    spoken: state.current.spoken,
    attention: attentionOf(state, isServed),
    minds: terms.minds,
    thoughts: pool.thoughts.length,
    active: Math.min(pool.activeSize, pool.thoughts.length),
    clusters: activeSizes(pool).size,
    vetoed: [...state.vetoed.keys()],
    audits: state.audits.length,
    audit_due: state.auditDue,
    ...(isServed && auditing(state)),
    next_audit: Math.max(0, terms.audit_every - sinceAudit(state, rounds.length)),
    terms: version,
    late: state.late,
    ...(run && { run: runView(run, isServed) }),
    ...(awaiting !== undefined && { awaiting }),
    ...(pending && { pending }),
    restarts: state.restarts.slice(-20),
    ...(halted && { halted }),
    ...(branch && { branch }),
    control: isControl(state),
  };
}

function auditing(state: Exchange): Pick<ExchangeStatus, 'auditing'> {
  const { run, current, auditWaiting } = state;
  const audit = auditUnderWay(state);
  if (audit === undefined) return {};
  const isRunning = run?.state === 'running';
  if (isRunning && current.spoken > 0) return { auditing: { audit, after_round: true } };
  const waiting = isRunning ? run.waiting : auditWaiting;
  return { auditing: { audit, ...(waiting && { waiting }) } };
}

function runView({ resumed: _, by: __, asked: ___, spent, ...run }: Run, isServed: boolean): RunView {
  const { since, ...used } = spent;
  const interrupted = run.state === 'running' && !isServed;
  return { ...run, spent: used, since, ...(interrupted && { interrupted }) };
}

export interface ThoughtRow {
  readonly id: number;
  readonly iter: number;
  readonly author: string;
  readonly text: string;
  readonly cluster: number | null;
  readonly active: boolean;
  readonly vetoed?: { readonly by: string; readonly reason: string; readonly ts: string };
}

export interface CallRow {
  readonly iter: number;
  readonly author: string;
  readonly model: string;
  readonly small?: true;
  readonly legibility?: 'partial';
  readonly outcome: string;
  readonly shown: readonly number[];
  readonly restart?: string;
  readonly problem?: string;
  readonly usage: Call['content']['usage'];
  readonly event: string;
}

export interface RoundRow extends Omit<Round, 'seq' | 'thoughts' | 'calls' | 'run'> {
  readonly thoughts: readonly ThoughtRow[];
  readonly calls: readonly CallRow[];
  /** The audit that was written after it. */
  readonly audit?: number;
}

/** Newest first. */
export function roundsView(
  state: Exchange,
  { before, limit = 50 }: Page = {},
): { readonly rounds: readonly RoundRow[] } {
  const newest = Math.min(state.rounds.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const wanted = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, i) => newest - i);
  const audits = new Map<number, number>();
  for (const { content } of state.audits) audits.set(content.round, content.audit);
  return { rounds: wanted.map((round) => roundRow(state, state.rounds.at(round - 1) as Round, audits.get(round))) };
}

function roundRow(state: Exchange, round: Round, audit: number | undefined): RoundRow {
  const {
    seq: _,
    run: __,
    thoughts: [first, last],
    calls: [from, to],
    ...rest
  } = round;
  return {
    ...rest,
    thoughts: Array.from({ length: last - first }, (_, i) => thoughtRow(state, first + i + 1) as ThoughtRow),
    calls: state.calls.slice(from, to).map(callRow),
    ...(audit !== undefined && { audit }),
  };
}

function callRow({ author, event, content }: Call): CallRow {
  const { iter, model, small, legibility, outcome, shown, restart, problem, usage } = content;
  return {
    ...{ iter, author, model, outcome, shown, usage, event },
    ...(small && { small }),
    ...(legibility && { legibility }),
    ...(restart !== undefined && { restart }),
    ...(problem !== undefined && { problem }),
  };
}

/** One thought, with where it belongs. */
export function thoughtRow({ pool, vetoed }: Exchange, id: number): ThoughtRow | undefined {
  const thought = thoughtOf(pool, id);
  if (!thought) return undefined;
  const veto = vetoed.get(id);
  const cluster = clusterOf(pool.members, id) ?? null;
  return { ...thought, cluster, active: isActive(pool, id), ...(veto && { vetoed: veto }) };
}

export interface AuditRow extends Omit<Audit['content'], 'cites'> {
  readonly ts: string;
  readonly event: string;
  readonly cites: readonly ThoughtRow[];
  /** What the observer said to it. */
  readonly answers: readonly string[];
}

/** Newest first, every citation with the thought it names (X4). */
export function auditsView(
  state: Exchange,
  { before, limit = 20 }: Page = {},
): { readonly audits: readonly AuditRow[] } {
  const newest = Math.min(state.audits.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const wanted = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, i) => newest - i);
  return {
    audits: wanted.map((number) => {
      const { content, ts, event } = state.audits.at(number - 1) as Audit;
      return {
        ...content,
        ...{ ts, event },
        cites: content.cites.flatMap((id) => thoughtRow(state, id) ?? []),
        answers: answersTo(state, number),
      };
    }),
  };
}

function answersTo({ audits, entries }: Exchange, audit: number): readonly string[] {
  const [here, next] = [audits.at(audit - 1), audits.at(audit)];
  const all = entries.slice();
  const from = all.findIndex(({ event }) => event === here?.event);
  const to = next ? all.findIndex(({ event }) => event === next.event) : all.length;
  return all.slice(from, to).flatMap(({ type, text }) => (type === 'observer' ? [text] : []));
}

/** Who may do what, and under which rule (X5). */
export function powersView(state: Exchange) {
  const minds = termsNow(state).terms.minds.map(({ id }) => id);
  const actors: Readonly<Record<Role, readonly string[]>> = {
    observer: ['any person'],
    auditor: [AUDITOR],
    pool: minds,
  };
  const roles = ['observer', 'auditor', 'pool'] as const;
  return {
    roles: roles.map((role) => ({
      role,
      actors: actors[role],
      powers: POWERS.filter((power) => power.role === role).map(({ power, commands, rule }) => ({
        power,
        commands,
        rule,
      })),
      limit: LIMITS[role],
    })),
  };
}

/** The four measures of each round, oldest first (X11). */
export function driftView({ rounds }: Exchange, latest = 1000) {
  return { rounds: rounds.slice(-latest).map(({ round, drift }) => ({ round, ...drift })) };
}

export interface EntryRow extends Entry {
  /** Its number, in the order they were said. */
  readonly entry: number;
  /** Its text behind its mark (X2). */
  readonly marked: string;
}

/** What was said besides thoughts, newest first. */
export function entriesView(
  { entries }: Exchange,
  { types, before, limit = 100 }: Page & { readonly types?: readonly EntryType[] | undefined } = {},
): { readonly entries: readonly EntryRow[] } {
  const found: EntryRow[] = [];
  const newest = Math.min(entries.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  for (let number = newest; number > 0 && found.length < limit; number--) {
    const entry = entries.at(number - 1) as Entry;
    if (!types || types.includes(entry.type)) found.push({ entry: number, ...entry, marked: marked(entry) });
  }
  return { entries: found };
}

/** The terms with their history, newest first: whole texts, so that any two can be compared (X3). */
export function termsView(state: Exchange) {
  const round = nextRound(state);
  return {
    now: versionRow(termsNow(state)),
    announced: announcedAt(state, round).map(({ version }) => version),
    versions: state.terms.slice().reverse().map(versionRow),
  };
}

function versionRow({ seq: _, ...version }: TermsVersion) {
  const long = Object.fromEntries(TEXTS.map((name) => [name, version.terms[name]]));
  return { ...version, texts: { ...long, terms: termsText(version.terms) } as Readonly<Record<string, string>> };
}
