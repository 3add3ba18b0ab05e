import { AuditJob } from '../../core/exchange/jobs.ts';
import { buildAuditInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { auditTerms } from '../../core/exchange/state.ts';
import { AUDITOR } from '../../core/exchange/terms/terms-text.ts';
import { modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { createModelStep } from '../ask/model-step.ts';
import type { Models } from '../calls/models.ts';
import { createStepPerformer } from '../report/step.ts';
import { auditQuestion, filesFor } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

/** One attempt at an audit: reads the current pool by the specification, which everyone can read (X4). */
export function createAuditor(models: Models, time: Time) {
  return createStepPerformer(models.pendingResults, {
    targetOf: AuditJob.inputOf,
    async begin(target, context) {
      const exchange = modeState('exchange', await context.state());
      const { audit, attempt, round } = target;
      if (!exchange || exchange.audits.length + 1 !== audit || exchange.rounds.length !== round) return undefined;
      const { run } = exchange;
      const { terms, hashes, version } = auditTerms(exchange);
      const facts = { ...target, prompt: hashes.auditor_spec, terms: version };
      const input = buildAuditInput(exchange);
      const showFiles = await filesFor(models.files, input);
      return createModelStep(models, time, context, {
        actor: { id: AUDITOR, kind: 'agent' },
        ...{
          purpose: 'auditor' as const,
          model: terms.auditor_model,
          seed: seedFor(run?.seed ?? 0, round, 63) + attempt,
        },
        run: { run: target.run, resumed: run?.resumed ?? 0, budget: run?.budget },
        question: auditQuestion(terms, input, showFiles),
        wait: {
          actor: CLOCKWORK,
          currentRun: activeRun,
          buildCommand: (wait) => ({ name: 'report_wait', input: { run: target.run, audit, ...wait } }),
        },
        buildReport: (outcome) => ({ name: 'report_audit', input: { ...facts, ...outcome } }),
      });
    },
  });
}

/** A run that ended or was stopped does not limit the time of an audit that somebody requested. */
function activeRun(state: State) {
  const run = modeState('exchange', state)?.run;
  return run?.state === 'running' ? run : undefined;
}
