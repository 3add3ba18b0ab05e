import { attachmentMeta, type NamedAttachment } from '../attachments/attachment.ts';
import type { Decision } from '../decider.ts';
import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { thoughtOf } from '../pool/state.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { checkNotHuman } from '../runs/writer.ts';
import { branchByPolicy, branchForRestart, decideBranch, decideRollback } from './branches/branch.ts';
import type { ExchangeCommand, ExchangeInputOf } from './commands.ts';
import {
  AuditAsked,
  AuditSkipped,
  ExchangeHalted,
  InjectionMade,
  ObserverSpoke,
  RestartAnswered,
  ThoughtUnvetoed,
  ThoughtVetoed,
} from './events.ts';
import { refuseInControl, refusePowerless } from './powers.ts';
import { decideAudit } from './rounds/audit.ts';
import {
  continueRounds,
  decideRoundsWait,
  endRounds,
  eventsAfterStep,
  pauseRounds,
  resumeRounds,
  startRounds,
} from './rounds/runs.ts';
import { decideMindSpoke, decideRoundSettled } from './rounds/steps.ts';
import { type Exchange, newestTerms } from './state.ts';
import { amendTerms } from './terms/amend.ts';

export function decideExchange(state: Exchange, command: ExchangeCommand, context: ModeContext): Decision {
  const { id } = context.thread;
  const refusal =
    refusePowerless(state, command.name, context.actor) ??
    refuseInControl(state, command.name) ??
    checkNotHuman(mindIdsIn(command.input), context);
  if (refusal) return refusal;
  switch (command.name) {
    case 'run':
      return startRounds(state, command.input, context);
    case 'pause_run':
      return pauseRounds(state, context);
    case 'resume_run':
      return resumeRounds(state, command.input.budget, context);
    case 'stop_run':
      return endRounds(state, 'stopped', context);
    case 'audit_now':
      return askForAudit(state, context);
    case 'skip_audit':
      return skipAudit(state, command.input.reason, context);
    case 'inject':
      return (
        refuseIfHalted(state) ?? [
          InjectionMade.of(id, { text: command.input.text }, envelopeOf(command.input.attachments)),
        ]
      );
    case 'observe':
      return decideObserve(state, command.input, context);
    case 'decide':
      return answerRestart(state, command.input, context);
    case 'amend':
      return decideAmend(state, command.input, context);
    case 'branch':
      return decideBranch(state, command.input, context);
    case 'rollback':
      return decideRollback(state, command.input, context);
    case 'halt':
      return halt(state, command.input.reason, context);
    case 'veto':
      return decideVeto(state, command.input, context);
    case 'unveto': {
      const { thought } = command.input;
      return state.vetoed.has(thought) ? [ThoughtUnvetoed.of(id, { thought })] : [];
    }
    case 'report_thoughts':
      return decideMindSpoke(state, command.input, context);
    case 'report_audit':
      return decideAudit(state, command.input, context);
    case 'report_wait':
      return decideRoundsWait(state, command.input, context);
    case 'settle_round':
      return decideRoundSettled(state, command.input, context);
    case 'branch_by_policy':
      return branchByPolicy(state, command.input.restart, context);
  }
}

function envelopeOf(attachments: readonly NamedAttachment[] | undefined) {
  const meta = attachmentMeta(attachments);
  return meta && { meta };
}

function askForAudit(state: Exchange, { thread }: ModeContext): Decision {
  if (state.auditAsked) return [];
  if (state.pool.thoughts.length === 0) {
    return refuse('idle', 'There is nothing to audit: the pool has no thoughts yet. Run some rounds first.');
  }
  return refuseIfHalted(state) ?? [AuditAsked.of(thread.id, { audit: state.audits.length + 1 })];
}

/** Continues without the audit that is due. The next audit is not affected (X17). */
function skipAudit(state: Exchange, reason: string, context: ModeContext): Decision {
  const { run, rounds, audits, auditDue, current } = state;
  if (!auditDue) return refuse('idle', 'No audit is due, so there is nothing to skip.');
  const skippedEvent = AuditSkipped.of(context.thread.id, {
    audit: audits.length + 1,
    round: rounds.length,
    reason,
  });
  const next =
    run?.state === 'running' && current.spoken === 0
      ? eventsAfterStep(run, context)
      : run?.reason === 'auditor'
        ? continueRounds({ ...state, auditDue: false }, context)
        : [];
  return refuseIfHalted(state) ?? [skippedEvent, ...next];
}

/** Records the observer's message. It answers the waiting audit, and a run that waited for it continues (X7). */
function decideObserve(
  state: Exchange,
  { text, attachments }: ExchangeInputOf<'observe'>,
  context: ModeContext,
): Decision {
  const { awaiting, run } = state;
  const audit = awaiting ?? state.audits.length;
  const content = { text, audit: audit > 0 ? audit : undefined };
  const spokeEvent = ObserverSpoke.of(context.thread.id, content, envelopeOf(attachments));
  const wasAwaited = awaiting !== undefined && run?.state === 'paused' && run.reason === 'answer';
  return refuseIfHalted(state) ?? [spokeEvent, ...(wasAwaited ? continueRounds(state, context) : [])];
}

/** One of the five answers to a request for a restart (X8). */
function answerRestart(state: Exchange, input: ExchangeInputOf<'decide'>, context: ModeContext): Decision {
  const { pending, run } = state;
  const { decision, reason, set } = input;
  if (!pending) {
    return refuse('nothing_pending', 'The pool has not asked for a restart, so there is nothing to decide.');
  }
  const refusal = refuseMisfit(input);
  if (refusal) return refusal;
  const { restart } = pending;
  const answerEvent = (version?: number) =>
    RestartAnswered.of(context.thread.id, { restart, decision, reason, version });
  const resumeEvents = run?.reason === 'restart' ? continueRounds(state, context) : [];
  switch (decision) {
    case 'branch':
    case 'rollback':
      return branchForRestart(state, restart, input, context);
    case 'amend': {
      const termsChange = amendTerms(state, set ?? {}, reason, context);
      if (isRefusal(termsChange)) return termsChange;
      return [
        termsChange,
        answerEvent(newestTerms(state).version + 1),
        ...(resumeEvents.length > 0 ? resumeEvents : releaseRounds(state, set ?? {}, context)),
      ];
    }
    case 'acknowledge':
      return [answerEvent(), ...resumeEvents];
    case 'halt':
      return [answerEvent(), ...halt(state, reason, context)];
  }
}

/** Refuses a decision with missing or unused options. */
function refuseMisfit({ decision, set, round }: ExchangeInputOf<'decide'>): Refusal | undefined {
  if (decision === 'rollback' && round === undefined) {
    return refuse('malformed', 'Give the round to roll back to in "round", from 0 (the beginning).', { key: 'round' });
  }
  if (decision !== 'rollback' && round !== undefined) {
    return refuse('malformed', `"round" belongs to "rollback", not to "${decision}".`, { key: 'round' });
  }
  if (decision === 'amend' && (!set || Object.keys(set).length === 0)) {
    return refuse('malformed', 'Give the terms to change in "set".', { key: 'set' });
  }
  if ((decision === 'acknowledge' || decision === 'halt') && set) {
    return refuse('malformed', `"${decision}" changes no terms; leave out "set", or decide "amend".`, { key: 'set' });
  }
  return undefined;
}

function decideAmend(state: Exchange, { set, reason }: ExchangeInputOf<'amend'>, context: ModeContext): Decision {
  const termsChange = amendTerms(state, set, reason, context);
  return isRefusal(termsChange)
    ? termsChange
    : (refuseIfHalted(state) ?? [termsChange, ...releaseRounds(state, set, context)]);
}

/** Resumes rounds that wait for an answer once no answer is required any more (X19). */
function releaseRounds(
  state: Exchange,
  set: ExchangeInputOf<'amend'>['set'],
  context: ModeContext,
): readonly NewEvent[] {
  const isWaiting = state.awaiting !== undefined && state.run?.reason === 'answer';
  return isWaiting && set.ask_after_audit === 'never' ? continueRounds(state, context) : [];
}

function halt(state: Exchange, reason: string, context: ModeContext): readonly NewEvent[] {
  if (state.halted) return [];
  return [ExchangeHalted.of(context.thread.id, { reason }), ...endRounds(state, 'halted', context)];
}

function decideVeto(state: Exchange, { thought, reason }: ExchangeInputOf<'veto'>, { thread }: ModeContext): Decision {
  if (!thoughtOf(state.pool, thought)) {
    const { length } = state.pool.thoughts;
    const available = length === 0 ? 'the pool is empty' : `there are #1 to #${length}`;
    return refuse('unknown_thought', `There is no thought #${thought}; ${available}.`, { thought });
  }
  return state.vetoed.has(thought) ? [] : [ThoughtVetoed.of(thread.id, { thought, reason })];
}

function refuseIfHalted({ halted }: Exchange): Refusal | undefined {
  return halted && refuse('halted', `${halted.by} halted this exchange: ${halted.reason} Branch it to continue.`);
}

/** The ids of minds that a command would set. */
function mindIdsIn(input: object): readonly unknown[] {
  const { minds } = (input as { set?: { minds?: unknown } }).set ?? {};
  return Array.isArray(minds) ? minds.map((mind) => mind?.id) : [];
}
