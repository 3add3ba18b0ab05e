import type { Actor } from '../../core/events/event.ts';
import { MindJob } from '../../core/exchange/jobs.ts';
import { buildMindInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { currentTerms, type Exchange, nextRound } from '../../core/exchange/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { askModel } from '../ask/ask.ts';
import { isUsable } from '../ask/outcome.ts';
import { createRunWaitReporter } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import { report, reportPending, savePendingResult } from '../report/report.ts';
import { mindQuestion } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

const RECHECK_MS = 5_000;

/** One mind in one round: draw, show, ask, read, and report after the minds before it (X1). */
export function createExchangeMind(models: Models, time: Time): PerformJob<State, Command> {
  return async (job, context) => {
    const target = MindJob.inputOf(job);
    if (!target) return;
    const slot = { pendingResults: models.pendingResults, job: job.key };
    if (await reportPending(context, slot, () => waitForTurn(context, target))) return;
    const exchange = modeState('exchange', await context.state());
    const { terms, hashes, version } = exchange ? currentTerms(exchange) : {};
    const mind = terms?.minds[target.mind];
    if (!exchange?.run || !terms || !hashes || !mind || nextRound(exchange) !== target.round) return;
    const actor: Actor = { id: mind.id, kind: 'agent' };
    const seed = seedFor(exchange.run.seed, target.round, target.mind);
    const input = buildMindInput(exchange, target.mind, seed);
    const { signal } = context;
    const onWait = createRunWaitReporter(
      context,
      CLOCKWORK,
      (current) => modeState('exchange', current)?.run,
      (facts) => ({
        name: 'report_wait',
        input: { run: target.run, ...facts },
      }),
    );
    const retryPolicy = { time, signal, onWait };
    await context.setPresence(actor, 'thinking');
    try {
      const question = {
        ...mindQuestion(terms, input),
        ...{ job: job.key, from: mind.id },
        ...{ purpose: 'mind' as const, model: mind.model, seed, run: `${target.run}.${exchange.run.resumed}` },
        budget: exchange.run.budget,
      };
      const outcome = await askModel(models, context, question, retryPolicy);
      if (!outcome) return;
      await waitForTurn(context, target);
      const facts = { thread: context.thread, ...target, seed, prompt: hashes.mind_prompt, terms: version ?? 1 };
      const command = { name: 'report_thoughts' as const, input: { ...facts, ...outcome } };
      const result = { actor, id: `${context.thread}/${job.key}`, command };
      // Cancelled because this server stops or another took over: a finished result is saved and waits for its turn.
      if (!signal.aborted || context.isUnwanted()) await report(context, result, slot);
      else if (isUsable(outcome)) await savePendingResult(context, result, slot);
    } finally {
      await context.setPresence(actor, 'listening');
    }
  };
}

/**
 * Minds of a round run at the same time but report in order: a round takes as long as its slowest mind, and the log is
 * the same as if they had run in turn.
 */
async function waitForTurn(
  context: JobContext<State, Command>,
  { round, mind }: { readonly round: number; readonly mind: number },
): Promise<void> {
  while (!context.signal.aborted) {
    const change = context.waitForChange(RECHECK_MS);
    const exchange = modeState('exchange', await context.state()) as Exchange;
    if (nextRound(exchange) !== round || exchange.current.spoken >= mind) return;
    await change;
  }
}
