import type { EventOf } from '../events/define.ts';
import { authorLabelOf, type Event } from '../events/event.ts';
import { ignoreUnknown, readEvent } from '../events/read.ts';
import { addThoughts, assign } from '../pool/state.ts';
import { chargeRun, countStep, endRun, newRun, pauseRun, resumeRun, updateRun, waitInRun } from '../runs/run.ts';
import { extendWait } from '../runs/wait.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import type { ThreadCreated } from '../threads/events.ts';
import { append } from '../util/growing-list.ts';
import { describeEvidence, entryTexts } from './entries.ts';
import type {
  AuditFailed,
  AuditSkipped,
  AuditWritten,
  BranchBegun,
  ExchangeEvent,
  MindSpoke,
  ObserverSpoke,
  RestartAnswered,
  RestartDetected,
  RoundEnded,
  RoundsResumed,
  RoundsStarted,
  RoundsWaiting,
  TermsSet,
} from './events.ts';
import {
  type CurrentRound,
  type Exchange,
  type ExchangeRun,
  isControl,
  type MindSpokeContent,
  newestTerms,
  nextRound,
} from './state.ts';
import type { Terms } from './terms/terms.ts';
import type { ExchangeEntry, ExchangeEntryType, Restart } from './view/schema.ts';

/** Total: an event this version does not know changes nothing (L3). */
export function evolveExchange(state: Exchange, stored: Event): Exchange {
  const event = readEvent<ExchangeEvent>(stored);
  const { ts } = event;
  switch (event.type) {
    case 'thread.created':
      return applyCreated(state, event);
    case 'control':
      return 'pause' in event.content ? setHeld(state, event.content.pause.on) : state;
    case 'terms.set':
      return applyTermsSet(state, event);
    case 'rounds.started':
      return {
        ...withoutAwaiting(state),
        ...{ run: startedRun(event), runs: state.runs + 1, failures: 0, auditWaiting: undefined },
      };
    case 'rounds.waiting':
      return applyWaiting(state, event);
    case 'rounds.paused':
      return updateRun(state, event.content, (run) => pauseRun(run, event.content));
    case 'rounds.resumed':
      return applyResumed(state, event);
    case 'rounds.ended':
      return updateRun(state, event.content, (run) => endRun(run, event.content));
    case 'mind.spoke':
      return applyMindSpoke(state, event);
    case 'call.late':
      return applyUsage({ ...state, late: state.late + 1 }, event.content);
    case 'thought.clustered':
      return { ...state, pool: assign(state.pool, event.content) };
    case 'round.ended':
      return applyRoundEnded(state, event);
    case 'injection.made': {
      const next = addEntry(state, event, 'injection', event.content.text);
      return { ...next, latest: { ...state.latest, injections: [...state.latest.injections, newestEntry(next)] } };
    }
    case 'observer.spoke':
      return applyObserverSpoke(state, event);
    case 'audit.asked':
      return {
        ...state,
        ...{ auditDue: true, auditAsked: true, auditAskedIn: event.id },
        ...{ auditTries: 0, auditsAsked: state.auditsAsked + 1, auditWaiting: undefined },
        auditDueSeq: state.auditDue ? state.auditDueSeq : event.seq,
      };
    case 'audit.written':
      return applyAudit(state, event);
    case 'audit.failed':
      return applyAuditFailed(state, event);
    case 'audit.skipped':
      return applyAuditSkipped(state, event);
    case 'auditor.role':
      return addEntry(state, event, 'auditor_role', event.content.text);
    case 'observer.role':
      return addEntry(state, event, 'observer_role', event.content.text);
    case 'restart.detected':
      return applyRestartDetected(state, event);
    case 'restart.answered':
      return applyRestartAnswered(state, event);
    case 'branch.begun':
      return applyBranchBegun(state, event);
    case 'branch.rolled_back':
      return state;
    case 'exchange.halted':
      return { ...state, halted: { by: authorLabelOf(event), reason: event.content.reason, ts } };
    case 'thought.vetoed': {
      const { thought, reason } = event.content;
      return { ...state, vetoed: new Map(state.vetoed).set(thought, { by: authorLabelOf(event), reason, ts }) };
    }
    case 'thought.unvetoed': {
      const vetoed = new Map(state.vetoed);
      vetoed.delete(event.content.thought);
      return { ...state, vetoed };
    }
    default:
      return ignoreUnknown(state, event);
  }
}

/** A fork keeps the inherited state, except for the run and the unfinished round (L13). */
function applyCreated(state: Exchange, { content: { forked_from, title } }: EventOf<typeof ThreadCreated>): Exchange {
  if (forked_from === undefined) return { ...state, title };
  const { run: _, halted: __, pending, ...rest } = state;
  // A restart that the policy answers with a branch stays pending only in the thread that requested it.
  const inheritedRestart = pending && pending.policy !== 'branch' ? { pending } : {};
  const resetState = {
    held: false,
    failures: 0,
    auditTries: 0,
    auditWaiting: undefined,
    current: newCurrentRound(state),
  };
  return { ...rest, ...inheritedRestart, ...resetState };
}

function setHeld(state: Exchange, held: boolean): Exchange {
  return { ...state, held, holds: state.holds + (held ? 1 : 0), auditWaiting: undefined };
}

function newCurrentRound({ pool, calls }: Pick<Exchange, 'pool' | 'calls'>): CurrentRound {
  return { pool, calls: calls.length, spoken: 0, restarts: [] };
}

function applyTermsSet(state: Exchange, event: EventOf<typeof TermsSet>): Exchange {
  const { version, set, hashes, announced, effective, reason } = event.content;
  const previousTerms = newestTerms(state).terms;
  const terms = { ...previousTerms, question: previousTerms.question || sanitizeLine(state.title), ...set } as Terms;
  const termsVersion = {
    ...{ version, terms, hashes, announced, effective, by: authorLabelOf(event), ts: event.ts, seq: event.seq },
    changed: Object.keys(set) as (keyof Terms)[],
    ...(reason !== undefined && { reason }),
  };
  const next = {
    ...state,
    terms: append(state.terms, termsVersion),
    policyBy: set.policy === undefined ? state.policyBy : event.from,
    // Terms in effect from round 1 belong to the beginning (X21).
    beginning: state.rounds.length === 0 && effective === 1 ? event.seq : state.beginning,
  };
  const releasedState = set.ask_after_audit === 'never' ? withoutAwaiting(next) : next;
  return effective <= nextRound(state) ? resizePool(releasedState, terms) : releasedState;
}

/** Rounds no longer wait for an answer to an audit (X19). */
function withoutAwaiting({ awaiting: _, ...state }: Exchange): Exchange {
  return state;
}

/** Applies the pool size from the terms of the round. */
function resizePool(state: Exchange, { active_pool_size: activeSize }: Terms): Exchange {
  if (state.pool.activeSize === activeSize) return state;
  const pool = { ...state.pool, activeSize };
  return { ...state, pool, current: { ...state.current, pool: { ...state.current.pool, activeSize } } };
}

function applyResumed(state: Exchange, event: EventOf<typeof RoundsResumed>): Exchange {
  const { content } = event;
  const next = updateRun(withoutAwaiting(state), content, (run) => resumeRun(run, event, content.budget));
  return { ...next, failures: 0, auditTries: 0, auditWaiting: undefined };
}

function applyMindSpoke(state: Exchange, event: EventOf<typeof MindSpoke>): Exchange {
  const { content } = event;
  const { iter, thoughts, outcome, restart } = content;
  const author = event.from;
  const thoughtsAfter = state.pool.thoughts.length;
  const call = { event: event.id, ts: event.ts, author, content, thoughtsAfter };
  const hasFailed = outcome === 'malformed' || outcome === 'error';
  const restartRequests = restart === undefined ? [] : [{ by: 'mind' as const, mind: author, iter, reason: restart }];
  const { current } = state;
  return applyUsage(
    {
      ...state,
      calls: append(state.calls, call),
      failures: hasFailed ? state.failures + 1 : 0,
      pool:
        thoughts.length === 0
          ? state.pool
          : addThoughts(
              state.pool,
              thoughts.map((text) => ({ iter, text, author })),
            ),
      current: { ...current, spoken: current.spoken + 1, restarts: [...current.restarts, ...restartRequests] },
    },
    content,
  );
}

function applyRoundEnded(state: Exchange, event: EventOf<typeof RoundEnded>): Exchange {
  const { round, run, before, after, drift, rearmed = [], audit_due, problem } = event.content;
  const roundRecord = {
    ...{ round, run, event: event.id, seq: event.seq, ts: event.ts, drift },
    thoughts: [before, after] as const,
    calls: [state.current.calls, state.calls.length] as const,
    ...(problem !== undefined && { problem }),
  };
  const withRound = { ...state, rounds: append(state.rounds, roundRecord) };
  const next = updateRun(withRound, event.content, (run) => countStep(run, event.ts));
  const endedState = {
    ...next,
    current: newCurrentRound(next),
    auditDue: state.auditDue || audit_due === true,
    auditDueSeq: state.auditDue || !audit_due ? state.auditDueSeq : event.seq,
    disarmed: state.disarmed.filter((cluster) => !rearmed.includes(cluster)),
  };
  // Announced terms may come into effect here.
  for (let i = endedState.terms.length - 1; i >= 0; i--) {
    const version = endedState.terms.at(i);
    if (version && version.effective <= round + 1) return resizePool(endedState, version.terms);
  }
  return endedState;
}

function applyWaiting(state: Exchange, { ts, content: wait }: EventOf<typeof RoundsWaiting>): Exchange {
  // A requested audit keeps waiting even if its rounds are stopped.
  const next = wait.audit === undefined ? state : { ...state, auditWaiting: extendWait(state.auditWaiting, ts, wait) };
  if (wait.audit !== undefined && state.run?.state !== 'running') return next;
  return updateRun(next, wait, (run) => waitInRun(run, ts, wait));
}

function applyObserverSpoke(state: Exchange, event: EventOf<typeof ObserverSpoke>): Exchange {
  const { text, audit } = event.content;
  const { awaiting: _, ...rest } = addEntry(state, event, 'observer', text);
  const latest = { ...state.latest, observer: [...state.latest.observer, newestEntry(rest)] };
  return { ...rest, latest, ...(audit !== undefined && { answered: audit }) };
}

function applyAudit(state: Exchange, event: EventOf<typeof AuditWritten>): Exchange {
  const { content } = event;
  const next = addEntry(state, event, 'audit', content.text);
  // Entries that no round has been shown yet stay until the next audit.
  const keepUnshown = (entries: readonly ExchangeEntry[]) =>
    entries.filter(({ round }) => round >= state.rounds.length);
  const { observer, injections, restarts } = state.latest;
  const pendingEntry = state.pending && restarts.findLast(({ type }) => type === 'restart');
  return applyUsage(
    {
      ...next,
      audits: append(state.audits, { event: event.id, seq: event.seq, ts: event.ts, content }),
      latest: {
        audit: newestEntry(next),
        ...{ observer: keepUnshown(observer), injections: keepUnshown(injections) },
        restarts: restarts.filter((entry) => entry === pendingEntry || keepUnshown([entry]).length > 0),
      },
      auditDue: false,
      auditAsked: false,
      auditTries: 0,
      auditFailed: false,
      auditWaiting: undefined,
      ...(content.ask && { awaiting: content.audit }),
    },
    content,
  );
}

function applyAuditFailed(state: Exchange, { content }: EventOf<typeof AuditFailed>): Exchange {
  const failedState = { ...state, auditTries: content.attempt, auditFailed: true, auditWaiting: undefined };
  const next = applyUsage(failedState, content);
  return content.gave_up ? { ...next, auditDue: false, auditAsked: false, auditTries: 0 } : next;
}

/** The observer skipped the audit and gave a reason. A control branch is not told. */
function applyAuditSkipped(state: Exchange, event: EventOf<typeof AuditSkipped>): Exchange {
  const { audit, round, reason } = event.content;
  const clearedAudit = { auditDue: false, auditAsked: false, auditTries: 0, auditFailed: false, auditSkipped: round };
  const next = { ...state, ...clearedAudit, auditWaiting: undefined };
  return isControl(state) ? next : addObserverEntry(next, event, entryTexts.skipped(audit, reason));
}

function applyRestartDetected(state: Exchange, event: EventOf<typeof RestartDetected>): Exchange {
  const { restart, round, evidence, policy, disarmed } = event.content;
  const restartRecord: Restart = { restart, round, ts: event.ts, evidence, policy };
  return {
    ...addRestartEntry(state, event, 'restart', describeEvidence(evidence)),
    restarts: append(state.restarts, restartRecord),
    pending: restartRecord,
    disarmed: [...new Set([...state.disarmed, ...disarmed])],
  };
}

function applyRestartAnswered(state: Exchange, event: EventOf<typeof RestartAnswered>): Exchange {
  const { content } = event;
  const { pending, ...rest } = state;
  if (pending?.restart !== content.restart) return state;
  const answer = { ...content, by: authorLabelOf(event), ts: event.ts };
  const restarts = append(state.restarts.slice(0, -1), { ...pending, answer });
  const { auto, decision, reason, round } = content;
  const isStructured = decision !== 'halt' && !auto;
  const next: Exchange = { ...rest, restarts, phase: isStructured ? 'structured' : state.phase };
  if (auto) return addRestartEntry(next, event, 'policy', entryTexts.policy(auto.set_by));
  return addObserverEntry(next, event, entryTexts.decision(decision, reason, round));
}

/**
 * A branch that answers a restart begins with that restart answered. A control branch hears nothing of the observer.
 */
function applyBranchBegun(state: Exchange, event: EventOf<typeof BranchBegun>): Exchange {
  const { content } = event;
  const { pending: _, branch: __, ...rest } = state;
  const { kind, reason, restart, from, auto } = content;
  const isStructured = restart !== undefined && !auto;
  const next: Exchange = { ...rest, branch: content, phase: isStructured ? 'structured' : state.phase };
  if (kind === 'control') {
    const { awaiting: ___, ...control } = next;
    return { ...control, latest: { ...state.latest, observer: [], injections: [] } };
  }
  if (restart === undefined) return next;
  if (auto) return addRestartEntry(next, event, 'policy', entryTexts.policy(state.policyBy));
  const decision = kind === 'rollback' ? 'rollback' : 'branch';
  return addObserverEntry(
    next,
    event,
    entryTexts.decision(decision, reason ?? '', kind === 'rollback' ? from.round : undefined),
  );
}

/** A decision appears in the pool as an observer message (X8). */
function addObserverEntry(state: Exchange, event: ExchangeEvent, text: string): Exchange {
  const next = addEntry(state, event, 'observer', text);
  return { ...next, latest: { ...next.latest, observer: [...next.latest.observer, newestEntry(next)] } };
}

/** Restart requests and policy actions get their own entry types; they are not observer messages (X18, X20). */
function addRestartEntry(state: Exchange, event: ExchangeEvent, type: 'restart' | 'policy', text: string): Exchange {
  const next = addEntry(state, event, type, text);
  return { ...next, latest: { ...next.latest, restarts: [...next.latest.restarts, newestEntry(next)] } };
}

function addEntry(state: Exchange, event: ExchangeEvent, type: ExchangeEntryType, text: string): Exchange {
  const { attachments } = event.meta;
  const entry = {
    ...{ type, event: event.id, ts: event.ts, by: authorLabelOf(event), round: state.rounds.length, text },
    ...(attachments && { attachments: [...attachments] }),
  };
  return { ...state, entries: append(state.entries, entry) };
}

function newestEntry({ entries }: Pick<Exchange, 'entries'>): ExchangeEntry {
  return entries.at(-1) as ExchangeEntry;
}

interface UsageContent {
  readonly run: number;
  readonly usage: MindSpokeContent['usage'];
}

function applyUsage(state: Exchange, content: UsageContent): Exchange {
  return updateRun(state, content, (run) => chargeRun(run, content.usage));
}

function startedRun(event: EventOf<typeof RoundsStarted>): ExchangeRun {
  const { rounds, seed } = event.content;
  return { ...newRun(event, event.content, rounds), seed };
}
