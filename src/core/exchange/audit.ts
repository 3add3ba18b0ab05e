import type { Decision } from '../decider.ts';
import type { Json, NewEvent } from '../event.ts';
import type { ModeContext } from '../mode.ts';
import { clusterOf } from '../pool/members.ts';
import { activeSizes, type Pool, thoughtOf } from '../pool/state.ts';
import type { InputOf } from './commands.ts';
import { afterStep, auditMayBegin, event, FAILURES, paused } from './runs.ts';
import { type AuditContent, type Exchange, isControl, type Run, termsNow } from './state.ts';
import { recorder, runAfter } from './steps.ts';

/** An audit is recorded once, with what it rests on, and both roles beside it (X1, X4). */
export function decideAudited(state: Exchange, input: InputOf<'audited'>, context: ModeContext): Decision {
  const { thread: _, result, blobs, audit, attempt, ...facts } = input;
  const record = recorder(context, blobs);
  const { run, held } = state;
  if (audit !== state.audits.length + 1) return [];
  const wanted = state.auditDue && !held && auditMayBegin(state) && attempt === state.auditTries + 1;
  if (!wanted) return [record('call.late', { ...facts, from: 'auditor', thoughts: [] } as unknown as Json)];

  const own = run && run.state === 'running' ? runAfter(run, facts.usage) : undefined;
  const problem = 'text' in result ? uncited(result.text) : 'malformed' in result ? result.malformed : result.error;
  if (!('text' in result) || problem !== undefined) {
    const lasting = 'error' in result && result.lasting === true;
    const over = lasting || attempt >= FAILURES;
    const content = { ...facts, audit, attempt, problem: problem ?? '', ...(over && !own && { gave_up: true }) };
    const failed = record('audit.failed', content as unknown as Json);
    return over && own ? [failed, givenUp(own, lasting, problem ?? '', context)] : [failed];
  }
  const { hashes, terms } = termsNow(state);
  const ask = asksFor(state);
  const content = {
    ...facts,
    ...{ audit, text: result.text, hash: context.hash(result.text), ...checked(result.text, state.pool) },
    ...(ask && { ask: true as const }),
  } satisfies AuditContent;
  const { id } = context.thread;
  return [
    record('audit.written', content as unknown as Json),
    event(id, 'auditor.role', { text: terms.auditor_spec, hash: hashes.auditor_spec, audit }),
    event(id, 'observer.role', { text: terms.observer_role, hash: hashes.observer_role, audit }),
    ...(own ? afterAudit(own, audit, ask, context) : []),
  ];
}

function afterAudit(run: Run, audit: number, ask: boolean, context: ModeContext): readonly NewEvent[] {
  const next = afterStep(run, context);
  if (!ask || next[0]?.type === 'rounds.ended') return next;
  return [paused(run, 'answer', `Audit ${audit} waits for your answer before it goes on ("observe").`, context)];
}

/** The exchange waits for a person (X4). */
function givenUp(run: Run, lasting: boolean, problem: string, context: ModeContext): NewEvent {
  const why = lasting
    ? `The auditor cannot work: ${problem}`
    : `The auditor failed ${FAILURES} times, the last because: ${problem}`;
  return paused(run, 'auditor', `${why} Resume to try again, or change the terms.`, context);
}

/** In the structured phase every audit asks for an answer, unless the terms say otherwise (X7). */
function asksFor(state: Exchange): boolean {
  if (isControl(state)) return false;
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
    coverage: { cited, missed, share: clusters.length === 0 ? 1 : cited.length / clusters.length },
  };
}

function uncited(text: string): string | undefined {
  if (citationsOf(text).length > 0) return undefined;
  return 'It names no thought that it rests on.';
}
