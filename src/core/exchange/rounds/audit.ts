import type { Decision } from '../../decider.ts';
import { type NewEvent, SYSTEM } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { clusterOf } from '../../pool/members.ts';
import { activeSizes, type ThoughtPool, thoughtOf } from '../../pool/state.ts';
import { chargeRun } from '../../runs/run.ts';
import type { ExchangeInputOf } from '../commands.ts';
import { AuditFailed, AuditorRole, AuditWritten, CallLate, ObserverRole, RoundsEnded } from '../events.ts';
import {
  type AuditContent,
  auditTerms,
  currentTerms,
  type Exchange,
  type ExchangeRun,
  isControl,
  newestTerms,
} from '../state.ts';
import { canAuditBegin } from './audit-progress.ts';
import { eventsAfterStep, MAX_FAILURES, pausedEvent } from './runs.ts';

/** Records an audit once, with its basis and the texts of both roles (X1, X4). */
export function decideAudit(state: Exchange, input: ExchangeInputOf<'report_audit'>, context: ModeContext): Decision {
  const { thread: _, result, blobs, audit, attempt, ...facts } = input;
  const { id } = context.thread;
  const envelope = blobs && blobs.length > 0 ? { meta: { blobs } } : {};
  const { run, held } = state;
  if (audit !== state.audits.length + 1) return [];
  const isCurrentAttempt = attempt === state.auditTries + 1 && facts.round === state.rounds.length;
  const isExpected = state.auditDue && !held && canAuditBegin(state) && isCurrentAttempt;
  if (!isExpected) return [CallLate.of(id, { ...facts, from: 'auditor', thoughts: [] }, envelope)];

  const activeRun = run && run.state === 'running' ? chargeRun(run, facts.usage) : undefined;
  if ('error' in result && result.budget && activeRun && facts.usage.prompt === 0)
    return [pausedEvent(activeRun, 'budget', result.error, context)];
  if (!('text' in result)) {
    const problem = 'malformed' in result ? result.malformed : result.error;
    const isPermanent = 'error' in result && result.lasting === true;
    const hasGivenUp = isPermanent || attempt >= MAX_FAILURES;
    const gave_up = hasGivenUp && !activeRun ? true : undefined;
    const failedEvent = AuditFailed.of(id, { ...facts, audit, attempt, problem, gave_up }, envelope);
    return hasGivenUp && activeRun
      ? [failedEvent, giveUpEvent(state, activeRun, isPermanent, problem, context)]
      : [failedEvent];
  }
  const { hashes, terms } = currentTerms(state);
  // The version the audit was written under, in case the terms were amended meanwhile.
  const spec = [auditTerms(state), ...state.terms.slice()].find((each) => each.hashes.auditor_spec === facts.prompt);
  const basis = spec ?? auditTerms(state);
  const needsAnswer = shouldAskObserver(state);
  const { text } = result;
  const written = { ...facts, audit, text, hash: context.hash(text), ...checkCitations(text, state.pool) };
  const observerRole = { text: terms.observer_role, hash: hashes.observer_role, audit };
  return [
    AuditWritten.of(id, { ...written, ask: needsAnswer || undefined }, envelope),
    AuditorRole.of(id, { text: basis.terms.auditor_spec, hash: basis.hashes.auditor_spec, audit }),
    ObserverRole.of(id, observerRole, { from: SYSTEM }),
    ...(activeRun ? eventsAfterAudit(activeRun, audit, needsAnswer, context) : []),
  ];
}

function eventsAfterAudit(
  run: ExchangeRun,
  audit: number,
  needsAnswer: boolean,
  context: ModeContext,
): readonly NewEvent[] {
  const next = eventsAfterStep(run, context);
  if (!needsAnswer || next[0]?.type === RoundsEnded.type) return next;
  return [pausedEvent(run, 'answer', `Audit ${audit} waits for your answer. Resume to continue without one.`, context)];
}

/** Pauses the run until a person acts (X4). */
function giveUpEvent(
  state: Exchange,
  run: ExchangeRun,
  isPermanent: boolean,
  problem: string,
  context: ModeContext,
): NewEvent {
  const why = isPermanent
    ? `The auditor cannot work: ${problem}`
    : `The auditor failed ${MAX_FAILURES} times. The last error: ${problem}`;
  const options = isControl(state) ? 'or' : 'amend the auditor’s specification or model, or';
  return pausedEvent(run, 'auditor', `${why} Resume to try again, ${options} skip this audit.`, context);
}

/** In the structured phase every audit requires an answer, unless the terms say otherwise (X7). */
function shouldAskObserver(state: Exchange): boolean {
  if (isControl(state)) return false;
  if (newestTerms(state).terms.ask_after_audit === 'never') return false;
  const { ask_after_audit } = currentTerms(state).terms;
  return ask_after_audit === 'always' || (ask_after_audit === 'structured' && state.phase === 'structured');
}

const CITATION = /#(\d{1,12})(?!\d)/g;

/** The thoughts that a text cites, in order of first mention. */
function citationsOf(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(CITATION), ([, id]) => String(Number(id))))];
}

/** Splits citations into existing and unknown thoughts, and measures the active clusters they cover (X4). */
function checkCitations(text: string, pool: ThoughtPool): Pick<AuditContent, 'cites' | 'unknown' | 'coverage'> {
  const citedIds = citationsOf(text);
  const cites = citedIds.map(Number).filter((id) => thoughtOf(pool, id) !== undefined);
  const unknown = citedIds.filter((id) => thoughtOf(pool, Number(id)) === undefined);
  const coveredClusters = new Set(cites.map((id) => clusterOf(pool.members, id)));
  const clusters = [...activeSizes(pool).keys()].sort((a, b) => a - b);
  const cited = clusters.filter((cluster) => coveredClusters.has(cluster));
  const missed = clusters.filter((cluster) => !coveredClusters.has(cluster));
  return {
    cites,
    unknown,
    coverage: { cited, missed, share: coverageShare(cites.length, cited.length, clusters.length) },
  };
}

/** An audit without citations covers nothing, even if there are no clusters (X16). */
function coverageShare(cites: number, cited: number, clusters: number): number {
  if (cites === 0) return 0;
  return clusters === 0 ? 1 : cited / clusters;
}
