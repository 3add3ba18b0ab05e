import { MindJob } from '../../core/exchange/jobs.ts';
import { buildMindInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { currentTerms, type Exchange, nextRound } from '../../core/exchange/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { createModelStep } from '../ask/model-step.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext } from '../jobs.ts';
import { createStepPerformer } from '../report/step.ts';
import { filesFor, mindQuestion } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

const RECHECK_MS = 5_000;

/** One mind in one round: draw, show, ask, read, and report after the minds before it (X1). */
export function createExchangeMind(models: Models, time: Time) {
  return createStepPerformer(models.pendingResults, {
    targetOf: MindJob.inputOf,
    waitForTurn,
    async begin(target, context) {
      const exchange = modeState('exchange', await context.state());
      const { terms, hashes, version = 1 } = exchange ? currentTerms(exchange) : {};
      const mind = terms?.minds[target.mind];
      if (!exchange?.run || !terms || !hashes || !mind || nextRound(exchange) !== target.round) return undefined;
      const seed = seedFor(exchange.run.seed, target.round, target.mind);
      const facts = { ...target, prompt: hashes.mind_prompt, terms: version };
      const input = buildMindInput(exchange, target.mind, seed);
      const showFiles = await filesFor(models.files, input);
      return createModelStep(models, time, context, {
        actor: { id: mind.id, kind: 'agent' },
        ...{ purpose: 'mind' as const, model: mind.model, seed, run: { ...exchange.run, run: target.run } },
        question: mindQuestion(terms, input, showFiles),
        wait: {
          actor: CLOCKWORK,
          currentRun: (current) => modeState('exchange', current)?.run,
          buildCommand: (wait) => ({ name: 'report_wait', input: { run: target.run, mind: mind.id, ...wait } }),
        },
        buildReport: (outcome) => ({ name: 'report_thoughts', input: { ...facts, ...outcome } }),
      });
    },
  });
}

/**
 * Minds of a round run at the same time but report in order: a round takes as long as its slowest mind, and the log is
 * the same as if they had run in turn.
 */
async function waitForTurn(
  { round, mind }: { readonly round: number; readonly mind: number },
  context: JobContext<State, Command>,
): Promise<void> {
  while (!context.signal.aborted) {
    const change = context.waitForChange(RECHECK_MS);
    const exchange = modeState('exchange', await context.state()) as Exchange;
    if (nextRound(exchange) !== round || exchange.current.spoken >= mind) return;
    await change;
  }
}
