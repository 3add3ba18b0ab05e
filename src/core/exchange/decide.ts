import type { Decision } from '../decider.ts';
import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { thoughtOf } from '../pool/state.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { notAPerson } from '../runs/writer.ts';
import { branchedByPolicy, branchedFor, decideBranch, decideRollback } from './branches/branch.ts';
import type { ExchangeCommand, InputOf } from './commands.ts';
import { powerless, untouched } from './powers.ts';
import { decideAudited } from './rounds/audit.ts';
import {
  afterStep,
  endRounds,
  event,
  goesOn,
  pauseRounds,
  resumeRounds,
  startRounds,
  waitOfRounds,
} from './rounds/runs.ts';
import { decideSettled, decideSpoken } from './rounds/steps.ts';
import { type Exchange, newestTerms } from './state.ts';
import { amended } from './terms/amend.ts';

export function decideExchange(state: Exchange, command: ExchangeCommand, context: ModeContext): Decision {
  const { id } = context.thread;
  const refused =
    powerless(state, command.name, context.actor) ??
    untouched(state, command.name) ??
    notAPerson(mindsIn(command.input), context);
  if (refused) return refused;
  switch (command.name) {
    case 'run_rounds':
      return startRounds(state, command.input, context);
    case 'pause_rounds':
      return pauseRounds(state, context);
    case 'resume_rounds':
      return resumeRounds(state, command.input.budget, context);
    case 'stop_rounds':
      return endRounds(state, 'stopped', context);
    case 'audit_now':
      return askForAudit(state, context);
    case 'skip_audit':
      return skipAudit(state, command.input.reason, context);
    case 'inject':
      return notHalted(state) ?? [event(id, 'injection.made', { text: command.input.text })];
    case 'observe':
      return observe(state, command.input, context);
    case 'decide':
      return answer(state, command.input, context);
    case 'amend':
      return amend(state, command.input, context);
    case 'branch':
      return decideBranch(state, command.input, context);
    case 'rollback':
      return decideRollback(state, command.input, context);
    case 'halt':
      return halt(state, command.input.reason, context);
    case 'veto':
      return veto(state, command.input, context);
    case 'unveto': {
      const { thought } = command.input;
      return state.vetoed.has(thought) ? [event(id, 'thought.unvetoed', { thought })] : [];
    }
    case 'mind_spoke':
      return decideSpoken(state, command.input, context);
    case 'audited':
      return decideAudited(state, command.input, context);
    case 'rounds_wait':
      return waitOfRounds(state, command.input, context);
    case 'round_settled':
      return decideSettled(state, command.input, context);
    case 'branch_by_policy':
      return branchedByPolicy(state, command.input.restart, context);
  }
}

function askForAudit(state: Exchange, { thread }: ModeContext): Decision {
  if (state.auditAsked) return [];
  if (state.pool.thoughts.length === 0) {
    return refuse('idle', 'There is nothing to audit: the pool has no thoughts yet. Let some rounds run first.');
  }
  return notHalted(state) ?? [event(thread.id, 'audit.asked', { audit: state.audits.length + 1 })];
}

/** Goes on without the audit that is due: this one, not the next (X17). */
function skipAudit(state: Exchange, reason: string, context: ModeContext): Decision {
  const { run, rounds, audits, auditDue, current } = state;
  if (!auditDue) return refuse('idle', 'No audit is due, so there is nothing to skip.');
  const skipped = event(context.thread.id, 'audit.skipped', {
    ...{ audit: audits.length + 1, round: rounds.length, reason },
  });
  const next =
    run?.state === 'running' && current.spoken === 0
      ? afterStep(run, context)
      : run?.reason === 'auditor'
        ? goesOn({ ...state, auditDue: false }, context)
        : [];
  return notHalted(state) ?? [skipped, ...next];
}

/** The observer's word; the audit that waited for one is answered, and a run that waited with it goes on (X7). */
function observe(state: Exchange, { text }: InputOf<'observe'>, context: ModeContext): Decision {
  const { awaiting, run } = state;
  const audit = awaiting ?? state.audits.length;
  const said = event(context.thread.id, 'observer.spoke', { text, ...(audit > 0 && { audit }) });
  const waited = awaiting !== undefined && run?.state === 'paused' && run.reason === 'answer';
  return notHalted(state) ?? [said, ...(waited ? goesOn(state, context) : [])];
}

/** One of the five answers to a request for a restart (X8). */
function answer(state: Exchange, input: InputOf<'decide'>, context: ModeContext): Decision {
  const { pending, run } = state;
  const { decision, reason, set } = input;
  if (!pending) {
    return refuse('nothing_pending', 'The pool has not asked for a restart, so there is nothing to decide.');
  }
  const odd = misfit(input);
  if (odd) return odd;
  const { restart } = pending;
  const answered = (more: object = {}) =>
    event(context.thread.id, 'restart.answered', { restart, decision, reason, ...more });
  const resumed = run?.reason === 'restart' ? goesOn(state, context) : [];
  switch (decision) {
    case 'branch':
    case 'rollback':
      return branchedFor(state, restart, input, context);
    case 'amend': {
      const change = amended(state, set ?? {}, reason, context);
      if (isRefusal(change)) return change;
      const version = newestTerms(state).version + 1;
      return [change, answered({ version }), ...(resumed.length > 0 ? resumed : released(state, set ?? {}, context))];
    }
    case 'acknowledge':
      return [answered(), ...resumed];
    case 'halt':
      return [answered(), ...halt(state, reason, context)];
  }
}

/** What a decision needs, or has no use for. */
function misfit({ decision, set, round }: InputOf<'decide'>): Refusal | undefined {
  if (decision === 'rollback' && round === undefined) {
    return refuse('malformed', 'To which round? Say "round", from 0 (the beginning) on.', { key: 'round' });
  }
  if (decision !== 'rollback' && round !== undefined) {
    return refuse('malformed', `"round" belongs to "rollback", not to "${decision}".`, { key: 'round' });
  }
  if (decision === 'amend' && (!set || Object.keys(set).length === 0)) {
    return refuse('malformed', 'What should change? Say which terms in "set".', { key: 'set' });
  }
  if ((decision === 'acknowledge' || decision === 'halt') && set) {
    return refuse('malformed', `"${decision}" changes no terms; leave "set" out, or decide "amend".`, { key: 'set' });
  }
  return undefined;
}

function amend(state: Exchange, { set, reason }: InputOf<'amend'>, context: ModeContext): Decision {
  const change = amended(state, set, reason, context);
  return isRefusal(change) ? change : (notHalted(state) ?? [change, ...released(state, set, context)]);
}

/** Rounds that wait for an answer go on when nobody asks for one any more (X19). */
function released(state: Exchange, set: InputOf<'amend'>['set'], context: ModeContext): readonly NewEvent[] {
  const waits = state.awaiting !== undefined && state.run?.reason === 'answer';
  return waits && set.ask_after_audit === 'never' ? goesOn(state, context) : [];
}

function halt(state: Exchange, reason: string, context: ModeContext): readonly NewEvent[] {
  if (state.halted) return [];
  return [event(context.thread.id, 'exchange.halted', { reason }), ...endRounds(state, 'halted', context)];
}

function veto(state: Exchange, { thought, reason }: InputOf<'veto'>, { thread }: ModeContext): Decision {
  if (!thoughtOf(state.pool, thought)) {
    const { length } = state.pool.thoughts;
    const there = length === 0 ? 'the pool is empty' : `there are #1 to #${length}`;
    return refuse('unknown_thought', `There is no thought #${thought}; ${there}.`, { thought });
  }
  return state.vetoed.has(thought) ? [] : [event(thread.id, 'thought.vetoed', { thought, reason })];
}

function notHalted({ halted }: Exchange): Refusal | undefined {
  return halted && refuse('halted', `${halted.by} halted this exchange: ${halted.reason} Branch it to go on.`);
}

/** The ids of minds that a command would set. */
function mindsIn(input: object): readonly unknown[] {
  const { minds } = (input as { set?: { minds?: unknown } }).set ?? {};
  return Array.isArray(minds) ? minds.map((mind) => mind?.id) : [];
}
