import type { Actor } from '../../core/events/event.ts';
import { AuditJob } from '../../core/exchange/jobs.ts';
import { buildAuditInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { auditTerms } from '../../core/exchange/state.ts';
import { AUDITOR } from '../../core/exchange/terms/terms-text.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { askModel } from '../ask/ask.ts';
import { isUsable } from '../ask/outcome.ts';
import { createRunWaitReporter } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { PerformJob } from '../jobs.ts';
import { report, reportPending } from '../report/report.ts';
import { auditQuestion } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

/** A run that ended or was stopped does not limit the time of an audit that somebody requested. */
function activeRun(state: State) {
  const run = modeState('exchange', state)?.run;
  return run?.state === 'running' ? run : undefined;
}

/** One attempt at an audit: reads the current pool by the specification, which everyone can read (X4). */
export function createAuditor(models: Models, time: Time): PerformJob<State, Command> {
  const actor: Actor = { id: AUDITOR, kind: 'agent' };
  return async (job, context) => {
    const target = AuditJob.inputOf(job);
    const slot = { pendingResults: models.pendingResults, job: job.key };
    if (!target || (await reportPending(context, slot))) return;
    const exchange = modeState('exchange', await context.state());
    if (!exchange || exchange.audits.length + 1 !== target.audit || exchange.rounds.length !== target.round) return;
    const { terms, hashes, version } = auditTerms(exchange);
    const seed = seedFor(exchange.run?.seed ?? 0, target.round, 63) + target.attempt;
    const input = buildAuditInput(exchange);
    const { signal } = context;
    const onWait = createRunWaitReporter(context, CLOCKWORK, activeRun, (facts) => ({
      name: 'rounds_wait',
      input: { run: target.run, audit: target.audit, ...facts },
    }));
    const retryPolicy = { time, signal, onWait };
    await context.setPresence(actor, 'thinking');
    try {
      const question = {
        ...auditQuestion(terms, input),
        ...{ job: job.key, from: AUDITOR, run: `${target.run}.${exchange.run?.resumed ?? 0}` },
        ...{ purpose: 'auditor' as const, model: terms.auditor_model, seed, budget: exchange.run?.budget },
      };
      const outcome = await askModel(models, context, question, retryPolicy);
      if (!outcome || (signal.aborted && !context.isUnwanted() && !isUsable(outcome))) return;
      const facts = {
        thread: context.thread,
        ...target,
        seed,
        prompt: hashes.auditor_spec,
        terms: version,
        ...outcome,
      };
      await report(
        context,
        { actor, id: `${context.thread}/${job.key}`, command: { name: 'audited', input: facts } },
        slot,
      );
    } finally {
      await context.setPresence(actor, 'listening');
    }
  };
}
