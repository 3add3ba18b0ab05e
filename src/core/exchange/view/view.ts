import { clusterOf } from '../../pool/members.ts';
import { activeSizes, isActive, thoughtOf } from '../../pool/state.ts';
import { markedText } from '../entries.ts';
import { type ExchangeRole, POWERS, ROLE_LIMITS } from '../powers.ts';
import { auditInProgress } from '../rounds/audit-progress.ts';
import {
  type Audit,
  announcedTerms,
  currentTerms,
  type Exchange,
  type ExchangeRun,
  isControl,
  type MindCall,
  nextRound,
  type Round,
  roundsSinceAudit,
  type TermsVersion,
} from '../state.ts';
import { AUDITOR, TEXT_TERMS, termsText } from '../terms/terms-text.ts';
import { attentionOf } from './attention.ts';
import type {
  AuditRow,
  CallRow,
  EntryRow,
  ExchangeEntry,
  ExchangeEntryType,
  ExchangeRunView,
  ExchangeStatusView,
  RoundRow,
  ThoughtRow,
} from './schema.ts';

export interface ExchangePageOptions {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/** `isServed`: whether a process is there to do the pending jobs. */
export function exchangeStatus(state: Exchange, isServed = true): ExchangeStatusView {
  const { run, awaiting, pending, halted, branch, pool, rounds } = state;
  const { terms, version } = currentTerms(state);
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
    ...(isServed && auditingView(state)),
    next_audit: Math.max(0, terms.audit_every - roundsSinceAudit(state, rounds.length)),
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

function auditingView(state: Exchange): Pick<ExchangeStatusView, 'auditing'> {
  const { run, current, auditWaiting } = state;
  const audit = auditInProgress(state);
  if (audit === undefined) return {};
  const isRunning = run?.state === 'running';
  if (isRunning && current.spoken > 0) return { auditing: { audit, after_round: true } };
  const waiting = isRunning ? run.waiting : auditWaiting;
  return { auditing: { audit, ...(waiting && { waiting }) } };
}

function runView(
  { resumed: _, by: __, rootEvent: ___, spent, limit, ...run }: ExchangeRun,
  isServed: boolean,
): ExchangeRunView {
  const { since, steps, ...totals } = spent;
  const interrupted = run.state === 'running' && !isServed;
  return {
    ...run,
    ...(limit !== undefined && { rounds: limit }),
    spent: { rounds: steps, ...totals },
    since,
    ...(interrupted && { interrupted }),
  };
}

/** Rounds, newest first. */
export function roundsView(
  state: Exchange,
  { before, limit = 50 }: ExchangePageOptions = {},
): { readonly rounds: readonly RoundRow[] } {
  const newest = Math.min(state.rounds.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const roundNumbers = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, i) => newest - i);
  const audits = new Map<number, number>();
  for (const { content } of state.audits) audits.set(content.round, content.audit);
  return {
    rounds: roundNumbers.map((round) => roundRow(state, state.rounds.at(round - 1) as Round, audits.get(round))),
  };
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

function callRow({ author, event, content }: MindCall): CallRow {
  const { iter, model, small, legibility, outcome, shown, restart, problem, usage } = content;
  return {
    ...{ iter, author, model, outcome, shown, usage, event },
    ...(small && { small }),
    ...(legibility && { legibility }),
    ...(restart !== undefined && { restart }),
    ...(problem !== undefined && { problem }),
  };
}

/** One thought with its cluster. */
export function thoughtRow({ pool, vetoed }: Exchange, id: number): ThoughtRow | undefined {
  const thought = thoughtOf(pool, id);
  if (!thought) return undefined;
  const veto = vetoed.get(id);
  const cluster = clusterOf(pool.members, id) ?? null;
  return { ...thought, cluster, active: isActive(pool, id), ...(veto && { vetoed: veto }) };
}

/** Audits, newest first, every citation with the thought it names (X4). */
export function auditsView(
  state: Exchange,
  { before, limit = 20 }: ExchangePageOptions = {},
): { readonly audits: readonly AuditRow[] } {
  const newest = Math.min(state.audits.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  const auditNumbers = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, i) => newest - i);
  return {
    audits: auditNumbers.map((number) => {
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
  const [current, next] = [audits.at(audit - 1), audits.at(audit)];
  const allEntries = entries.slice();
  const from = allEntries.findIndex(({ event }) => event === current?.event);
  const to = next ? allEntries.findIndex(({ event }) => event === next.event) : allEntries.length;
  return allEntries.slice(from, to).flatMap(({ type, text }) => (type === 'observer' ? [text] : []));
}

/** The powers of each role, with the rule behind each (X5). */
export function powersView(state: Exchange) {
  const minds = currentTerms(state).terms.minds.map(({ id }) => id);
  const actors: Readonly<Record<ExchangeRole, readonly string[]>> = {
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
      limit: ROLE_LIMITS[role],
    })),
  };
}

/** The four measures of each round, oldest first (X11). */
export function driftView({ rounds }: Exchange, latest = 1000) {
  return { rounds: rounds.slice(-latest).map(({ round, drift }) => ({ round, ...drift })) };
}

/** Entries other than thoughts, newest first. */
export function entriesView(
  { entries }: Exchange,
  {
    types,
    before,
    limit = 100,
  }: ExchangePageOptions & { readonly types?: readonly ExchangeEntryType[] | undefined } = {},
): { readonly entries: readonly EntryRow[] } {
  const rows: EntryRow[] = [];
  const newest = Math.min(entries.length, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  for (let number = newest; number > 0 && rows.length < limit; number--) {
    const entry = entries.at(number - 1) as ExchangeEntry;
    if (!types || types.includes(entry.type)) rows.push({ entry: number, ...entry, marked: markedText(entry) });
  }
  return { entries: rows };
}

/** All versions of the terms, newest first, with full texts, so that any two can be compared (X3). */
export function termsView(state: Exchange) {
  const round = nextRound(state);
  return {
    now: versionRow(currentTerms(state)),
    announced: announcedTerms(state, round).map(({ version }) => version),
    versions: state.terms.slice().reverse().map(versionRow),
  };
}

function versionRow({ seq: _, ...version }: TermsVersion) {
  const longTexts = Object.fromEntries(TEXT_TERMS.map((name) => [name, version.terms[name]]));
  return { ...version, texts: { ...longTexts, terms: termsText(version.terms) } as Readonly<Record<string, string>> };
}
