import type { Decision } from '../../decider.ts';
import { type Json, type NewEvent, SYSTEM } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { clusterOf } from '../../pool/members.ts';
import { activeSizes, type Pool, thoughtOf } from '../../pool/state.ts';
import type { InputOf } from '../commands.ts';
import { type AuditContent, auditTerms, type Exchange, isControl, newestTerms, type Run, termsNow } from '../state.ts';
import { afterStep, auditMayBegin, event, FAILURES, paused } from './runs.ts';
import { recorder, runAfter } from './steps.ts';

/** An audit is recorded once, with what it rests on, and both roles beside it (X1, X4). */
export function decideAudited(state: Exchange, input: InputOf<'audited'>, context: ModeContext): Decision {
  const { thread: _, result, blobs, audit, attempt, ...facts } = input;
  const record = recorder(context, blobs);
  const { run, held } = state;
  if (audit !== state.audits.length + 1) return [];
  const isNow = attempt === state.auditTries + 1 && facts.round === state.rounds.length;
  const wanted = state.auditDue && !held && auditMayBegin(state) && isNow;
  if (!wanted) return [record('call.late', { ...facts, from: 'auditor', thoughts: [] } as unknown as Json)];

  const own = run && run.state === 'running' ? runAfter(run, facts.usage) : undefined;
  if ('error' in result && result.budget && own && facts.usage.prompt === 0)
    return [paused(own, 'budget', result.error, context)];
  if (!('text' in result)) {
    const problem = 'malformed' in result ? result.malformed : result.error;
    const lasting = 'error' in result && result.lasting === true;
    const over = lasting || attempt >= FAILURES;
    const content = { ...facts, audit, attempt, problem, ...(over && !own && { gave_up: true }) };
    const failed = record('audit.failed', content as unknown as Json);
    return over && own ? [failed, givenUp(state, own, lasting, problem, context)] : [failed];
  }
  const { hashes, terms } = termsNow(state);
  // What it was written by, if the terms were amended meanwhile.
  const spec = [auditTerms(state), ...state.terms.slice()].find((each) => each.hashes.auditor_spec === facts.prompt);
  const by = spec ?? auditTerms(state);
  const ask = asksFor(state);
  const content = {
    ...facts,
    ...{ audit, text: result.text, hash: context.hash(result.text), ...checked(result.text, state.pool) },
    ...(ask && { ask: true as const }),
  } satisfies AuditContent;
  const { id } = context.thread;
  return [
    record('audit.written', content as unknown as Json),
    event(id, 'auditor.role', { text: by.terms.auditor_spec, hash: by.hashes.auditor_spec, audit }),
    { ...event(id, 'observer.role', { text: terms.observer_role, hash: hashes.observer_role, audit }), from: SYSTEM },
    ...(own ? afterAudit(own, audit, ask, context) : []),
  ];
}

function afterAudit(run: Run, audit: number, ask: boolean, context: ModeContext): readonly NewEvent[] {
  const next = afterStep(run, context);
  if (!ask || next[0]?.type === 'rounds.ended') return next;
  return [paused(run, 'answer', `Audit ${audit} waits for your answer. Resume to go on without one.`, context)];
}

/** The exchange waits for a person (X4). */
function givenUp(state: Exchange, run: Run, lasting: boolean, problem: string, context: ModeContext): NewEvent {
  const why = lasting
    ? `The auditor cannot work: ${problem}`
    : `The auditor failed ${FAILURES} times, the last because: ${problem}`;
  const out = isControl(state) ? 'or' : 'amend the auditor’s specification or model, or';
  return paused(run, 'auditor', `${why} Resume to try again, ${out} skip this audit.`, context);
}

/** In the structured phase every audit asks for an answer, unless the terms say otherwise (X7). */
function asksFor(state: Exchange): boolean {
  if (isControl(state)) return false;
  if (newestTerms(state).terms.ask_after_audit === 'never') return false;
  const { ask_after_audit } = termsNow(state).terms;
  return ask_after_audit === 'always' || (ask_after_audit === 'structured' && state.phase === 'structured');
}

const CITATION = /#(\d{1,12})(?!\d)/g;

/** The thoughts a text names, in the order it first does. */
function citationsOf(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(CITATION), ([, id]) => String(Number(id))))];
}

/** What an audit names that is there, what it names that is not, and which active clusters that covers (X4). */
function checked(text: string, pool: Pool): Pick<AuditContent, 'cites' | 'unknown' | 'coverage'> {
  const named = citationsOf(text);
  const cites = named.map(Number).filter((id) => thoughtOf(pool, id) !== undefined);
  const unknown = named.filter((id) => thoughtOf(pool, Number(id)) === undefined);
  const covered = new Set(cites.map((id) => clusterOf(pool.members, id)));
  const clusters = [...activeSizes(pool).keys()].sort((a, b) => a - b);
  const cited = clusters.filter((cluster) => covered.has(cluster));
  const missed = clusters.filter((cluster) => !covered.has(cluster));
  return {
    cites,
    unknown,
    coverage: { cited, missed, share: shareOf(cites.length, cited.length, clusters.length) },
  };
}

/** An audit that cites nothing covers nothing, even where there are no clusters (X16). */
function shareOf(cites: number, cited: number, clusters: number): number {
  if (cites === 0) return 0;
  return clusters === 0 ? 1 : cited / clusters;
}
