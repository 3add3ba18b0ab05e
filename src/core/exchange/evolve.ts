import type { z } from 'zod';
import { authorShown, type Event } from '../events/event.ts';
import { addThoughts, evolvePool } from '../pool/state.ts';
import { beganBy } from '../runs/start-time.ts';
import { waitingFrom } from '../runs/wait.ts';
import { dataLine } from '../text/sanitize.ts';
import { append } from '../util/growing-list.ts';
import { asText, told } from './entries.ts';
import type * as events from './events.ts';
import {
  type AuditContent,
  type Current,
  type Entry,
  type EntryType,
  type Exchange,
  isControl,
  newestTerms,
  nextRound,
  type Restart,
  type Run,
  type Spent,
  type Spoken,
} from './state.ts';
import type { Terms } from './terms/terms.ts';

/** Total: an event this version does not know changes nothing (L3). */
export function evolveExchange(state: Exchange, event: Event): Exchange {
  switch (event.type) {
    case 'thread.created':
      return forked(state, event);
    case 'control': {
      const { pause } = event.content as { pause?: { on: boolean } };
      if (!pause) return state;
      return { ...state, held: pause.on, holds: state.holds + (pause.on ? 1 : 0), auditWaiting: undefined };
    }
    case 'terms.set':
      return termsSet(state, event, contentOf<typeof events.termsSet>(event));
    case 'rounds.started': {
      const run = started(event, contentOf<typeof events.runStarted>(event));
      return { ...withoutAwaiting(state), run, runs: state.runs + 1, failures: 0, auditWaiting: undefined };
    }
    case 'rounds.waiting':
      return waits(state, event, contentOf<typeof events.waiting>(event));
    case 'rounds.paused': {
      const { reason, why } = contentOf<typeof events.runPaused>(event);
      return withRun(state, event, ({ waiting: _, ...run }) => ({ ...run, state: 'paused', reason, why }));
    }
    case 'rounds.resumed': {
      const { budget } = contentOf<typeof events.runResumed>(event);
      const resumed = withRun(withoutAwaiting(state), event, ({ reason: _, why: __, ...run }) => ({
        ...run,
        state: 'running',
        budget: budget ?? run.budget,
        spent: { since: event.ts, rounds: 0, tokens: 0, money: 0 },
        resumed: run.resumed + 1,
        asked: event.meta.by === 'human' ? event.id : run.asked,
      }));
      return { ...resumed, failures: 0, auditTries: 0, auditWaiting: undefined };
    }
    case 'rounds.ended': {
      const { reason } = contentOf<typeof events.runEnded>(event);
      return withRun(state, event, ({ why: _, waiting: __, ...run }) => ({ ...run, state: 'ended', reason }));
    }
    case 'mind.spoke':
      return spoke(state, event, event.content as unknown as Spoken);
    case 'call.late':
      return spending({ ...state, late: state.late + 1 }, contentOf<typeof events.callLate>(event));
    case 'thought.clustered':
      return { ...state, pool: evolvePool(state.pool, event) };
    case 'round.ended':
      return roundEnded(state, event, contentOf<typeof events.roundEnded>(event));
    case 'injection.made': {
      const next = withEntry(state, event, 'injection', contentOf<typeof events.injected>(event).text);
      return { ...next, latest: { ...state.latest, injections: [...state.latest.injections, newest(next)] } };
    }
    case 'observer.spoke':
      return observed(state, event, contentOf<typeof events.observerSpoke>(event));
    case 'audit.asked':
      return {
        ...state,
        ...{ auditDue: true, auditAsked: true, auditAskedIn: event.id },
        ...{ auditTries: 0, auditsAsked: state.auditsAsked + 1, auditWaiting: undefined },
        auditDueSeq: state.auditDue ? state.auditDueSeq : event.seq,
      };
    case 'audit.written':
      return audited(state, event, event.content as unknown as AuditContent);
    case 'audit.failed': {
      const content = contentOf<typeof events.auditFailed>(event);
      const next = spending(
        { ...state, auditTries: content.attempt, auditFailed: true, auditWaiting: undefined },
        content,
      );
      return content.gave_up ? { ...next, auditDue: false, auditAsked: false, auditTries: 0 } : next;
    }
    case 'audit.skipped':
      return skipped(state, event, contentOf<typeof events.auditSkipped>(event));
    case 'auditor.role':
      return withEntry(state, event, 'auditor_role', contentOf<typeof events.roleTold>(event).text);
    case 'observer.role':
      return withEntry(state, event, 'observer_role', contentOf<typeof events.roleTold>(event).text);
    case 'restart.detected':
      return restarted(state, event, contentOf<typeof events.restartDetected>(event));
    case 'restart.answered':
      return answered(state, event, contentOf<typeof events.restartAnswered>(event));
    case 'branch.begun':
      return begun(state, event, contentOf<typeof events.branchBegun>(event));
    case 'exchange.halted': {
      const { reason } = contentOf<typeof events.halted>(event);
      return { ...state, halted: { by: authorShown(event), reason, ts: event.ts } };
    }
    case 'thought.vetoed': {
      const { thought, reason } = contentOf<typeof events.vetoed>(event);
      return { ...state, vetoed: new Map(state.vetoed).set(thought, { by: authorShown(event), reason, ts: event.ts }) };
    }
    case 'thought.unvetoed': {
      const vetoed = new Map(state.vetoed);
      vetoed.delete(contentOf<typeof events.unvetoed>(event).thought);
      return { ...state, vetoed };
    }
    default:
      return state;
  }
}

/** A fork keeps what it inherited; no run is its own, and a round that was under way is not (L13). */
function forked(state: Exchange, event: Event): Exchange {
  const { forked_from, title } = event.content as { forked_from?: unknown; title: string };
  if (forked_from === undefined) return { ...state, title };
  const { run: _, halted: __, pending, ...rest } = state;
  // What the terms lead to by themselves, they lead to where it was asked for.
  const open = pending && pending.policy !== 'branch' ? { pending } : {};
  const begun = { held: false, failures: 0, auditTries: 0, auditWaiting: undefined, current: fresh(state) };
  return { ...rest, ...open, ...begun };
}

function fresh({ pool, calls }: Pick<Exchange, 'pool' | 'calls'>): Current {
  return { pool, calls: calls.length, spoken: 0, restarts: [] };
}

function termsSet(state: Exchange, event: Event, content: z.infer<typeof events.termsSet>): Exchange {
  const { version, set, hashes, announced, effective, reason } = content;
  const before = newestTerms(state).terms;
  const terms = { ...before, question: before.question || dataLine(state.title), ...set } as Terms;
  const entry = {
    ...{ version, terms, hashes, announced, effective, by: authorShown(event), ts: event.ts, seq: event.seq },
    changed: Object.keys(set) as (keyof Terms)[],
    ...(reason !== undefined && { reason }),
  };
  const next = {
    ...state,
    terms: append(state.terms, entry),
    policyBy: set.policy === undefined ? state.policyBy : event.from,
    // What holds from round 1 is part of the beginning (X21).
    beginning: state.rounds.length === 0 && effective === 1 ? event.seq : state.beginning,
  };
  const released = set.ask_after_audit === 'never' ? withoutAwaiting(next) : next;
  return effective <= nextRound(state) ? sized(released, terms) : released;
}

/** Nobody has to answer an audit for the rounds to go on (X19). */
function withoutAwaiting({ awaiting: _, ...state }: Exchange): Exchange {
  return state;
}

/** The pool is as large as the terms of its round say. */
function sized(state: Exchange, { active_pool_size: activeSize }: Terms): Exchange {
  if (state.pool.activeSize === activeSize) return state;
  const pool = { ...state.pool, activeSize };
  return { ...state, pool, current: { ...state.current, pool: { ...state.current.pool, activeSize } } };
}

function spoke(state: Exchange, event: Event, content: Spoken): Exchange {
  const { iter, thoughts, outcome, restart } = content;
  const author = event.from;
  const thoughtsAfter = state.pool.thoughts.length;
  const call = { event: event.id, ts: event.ts, author, content, thoughtsAfter };
  const failed = outcome === 'malformed' || outcome === 'error';
  const asks = restart === undefined ? [] : [{ by: 'mind' as const, mind: author, iter, reason: restart }];
  const { current } = state;
  return spending(
    {
      ...state,
      calls: append(state.calls, call),
      failures: failed ? state.failures + 1 : 0,
      pool:
        thoughts.length === 0
          ? state.pool
          : addThoughts(
              state.pool,
              thoughts.map((text) => ({ iter, text, author })),
            ),
      current: { ...current, spoken: current.spoken + 1, restarts: [...current.restarts, ...asks] },
    },
    content,
  );
}

function roundEnded(state: Exchange, event: Event, content: z.infer<typeof events.roundEnded>): Exchange {
  const { round, run, before, after, drift, rearmed = [], audit_due, problem } = content;
  const entry = {
    ...{ round, run, event: event.id, seq: event.seq, ts: event.ts, drift },
    thoughts: [before, after] as const,
    calls: [state.current.calls, state.calls.length] as const,
    ...(problem !== undefined && { problem }),
  };
  const next = withRun({ ...state, rounds: append(state.rounds, entry) }, event, (run) => ({
    ...run,
    done: run.done + 1,
    spent: { ...run.spent, since: beganBy(run.spent.since, event.ts), rounds: run.spent.rounds + 1 },
  }));
  const ended = {
    ...next,
    current: fresh(next),
    auditDue: state.auditDue || audit_due === true,
    auditDueSeq: state.auditDue || !audit_due ? state.auditDueSeq : event.seq,
    disarmed: state.disarmed.filter((cluster) => !rearmed.includes(cluster)),
  };
  // Terms that were announced may hold from here on.
  for (let i = ended.terms.length - 1; i >= 0; i--) {
    const version = ended.terms.at(i);
    if (version && version.effective <= round + 1) return sized(ended, version.terms);
  }
  return ended;
}

function waits(state: Exchange, event: Event, wait: z.infer<typeof events.waiting>): Exchange {
  // It goes on to wait where its rounds are stopped, if it was asked for.
  const next =
    wait.audit === undefined ? state : { ...state, auditWaiting: waitingFrom(state.auditWaiting, event.ts, wait) };
  if (wait.audit !== undefined && state.run?.state !== 'running') return next;
  return withRun(next, event, (run) => ({ ...run, waiting: waitingFrom(run.waiting, event.ts, wait) }));
}

function observed(state: Exchange, event: Event, content: z.infer<typeof events.observerSpoke>): Exchange {
  const { text, audit } = content;
  const { awaiting: _, ...rest } = withEntry(state, event, 'observer', text);
  const latest = { ...state.latest, observer: [...state.latest.observer, newest(rest)] };
  return { ...rest, latest, ...(audit !== undefined && { answered: audit }) };
}

function audited(state: Exchange, event: Event, content: AuditContent): Exchange {
  const next = withEntry(state, event, 'audit', content.text);
  // What no round has been shown yet stays until the audit after this one.
  const unshown = (entries: readonly Entry[]) => entries.filter(({ round }) => round >= state.rounds.length);
  const { observer, injections, restarts } = state.latest;
  const undecided = state.pending && restarts.findLast(({ type }) => type === 'restart');
  return spending(
    {
      ...next,
      audits: append(state.audits, { event: event.id, seq: event.seq, ts: event.ts, content }),
      latest: {
        audit: newest(next),
        ...{ observer: unshown(observer), injections: unshown(injections) },
        restarts: restarts.filter((entry) => entry === undecided || unshown([entry]).length > 0),
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

/** Skipped by the observer, who says why; a control hears nothing of it. */
function skipped(state: Exchange, event: Event, content: z.infer<typeof events.auditSkipped>): Exchange {
  const { audit, round, reason } = content;
  const settled = { auditDue: false, auditAsked: false, auditTries: 0, auditFailed: false, auditSkipped: round };
  const next = { ...state, ...settled, auditWaiting: undefined };
  return isControl(state) ? next : shown(next, event, asText.skipped(audit, reason));
}

function restarted(state: Exchange, event: Event, content: z.infer<typeof events.restartDetected>): Exchange {
  const { restart, round, evidence, policy, disarmed } = content;
  const entry: Restart = { restart, round, ts: event.ts, evidence, policy };
  return {
    ...requested(state, event, 'restart', told(evidence)),
    restarts: append(state.restarts, entry),
    pending: entry,
    disarmed: [...new Set([...state.disarmed, ...disarmed])],
  };
}

function answered(state: Exchange, event: Event, content: z.infer<typeof events.restartAnswered>): Exchange {
  const { pending, ...rest } = state;
  if (pending?.restart !== content.restart) return state;
  const answer = { ...content, by: authorShown(event), ts: event.ts };
  const restarts = append(state.restarts.slice(0, -1), { ...pending, answer });
  const { auto, decision, reason, round } = content;
  const structured = decision !== 'halt' && !auto;
  const next: Exchange = { ...rest, restarts, phase: structured ? 'structured' : state.phase };
  if (auto) return requested(next, event, 'policy', asText.policy(auto.set_by));
  return shown(next, event, asText.decision(decision, reason, round));
}

/** A branch that answers a restart begins with it answered; a control hears nothing of the observer. */
function begun(state: Exchange, event: Event, content: z.infer<typeof events.branchBegun>): Exchange {
  const { pending: _, branch: __, ...rest } = state;
  const { kind, reason, restart, from, auto } = content;
  const structured = restart !== undefined && !auto;
  const next: Exchange = { ...rest, branch: content, phase: structured ? 'structured' : state.phase };
  if (kind === 'control') {
    const { awaiting: ___, ...control } = next;
    return { ...control, latest: { ...state.latest, observer: [], injections: [] } };
  }
  if (restart === undefined) return next;
  if (auto) return requested(next, event, 'policy', asText.policy(state.policyBy));
  const decision = kind === 'rollback' ? 'rollback' : 'branch';
  return shown(next, event, asText.decision(decision, reason ?? '', kind === 'rollback' ? from.round : undefined));
}

/** A decision is shown to the pool as the observer's word (X8). */
function shown(state: Exchange, event: Event, text: string): Exchange {
  const next = withEntry(state, event, 'observer', text);
  return { ...next, latest: { ...next.latest, observer: [...next.latest.observer, newest(next)] } };
}

/** What the pool asks for, and what a policy does about it, is nobody's word but theirs (X18, X20). */
function requested(state: Exchange, event: Event, type: 'restart' | 'policy', text: string): Exchange {
  const next = withEntry(state, event, type, text);
  return { ...next, latest: { ...next.latest, restarts: [...next.latest.restarts, newest(next)] } };
}

function withEntry(state: Exchange, event: Event, type: EntryType, text: string): Exchange {
  const entry = { type, event: event.id, ts: event.ts, by: authorShown(event), round: state.rounds.length, text };
  return { ...state, entries: append(state.entries, entry) };
}

function newest({ entries }: Pick<Exchange, 'entries'>): Entry {
  return entries.at(-1) as Entry;
}

interface Spending {
  readonly run: number;
  readonly usage: Spoken['usage'];
}

export function spentWith(spent: Spent, { usage }: Pick<Spending, 'usage'>): Spent {
  return {
    ...spent,
    tokens: spent.tokens + usage.prompt + usage.generated,
    money: spent.money + (usage.cost ?? 0),
  };
}

function spending(state: Exchange, content: Spending): Exchange {
  if (!state.run || state.run.run !== content.run) return state;
  const { waiting: _, ...run } = state.run;
  return { ...state, run: { ...run, spent: spentWith(run.spent, content) } };
}

function started(event: Event, { run, rounds, seed, budget }: z.infer<typeof events.runStarted>): Run {
  return {
    ...{ run, seed, budget, by: event.from, state: 'running', done: 0, resumed: 0, asked: event.id },
    ...(rounds !== undefined && { rounds }),
    spent: { since: event.ts, rounds: 0, tokens: 0, money: 0 },
  };
}

function withRun(state: Exchange, event: Event, change: (run: Run) => Run): Exchange {
  const { run } = event.content as { run: number };
  return state.run && state.run.run === run ? { ...state, run: change(state.run) } : state;
}

function contentOf<Schema extends z.ZodType>(event: Event): z.infer<Schema> {
  return event.content as z.infer<Schema>;
}
