import type { Actor } from '../../core/events/event.ts';
import { mindInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { type Exchange, nextRound, termsNow } from '../../core/exchange/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { isWhole } from '../ask/outcome.ts';
import { reportWaits } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { Perform, Work } from '../jobs.ts';
import { keepResult, report, reportKept } from '../report/report.ts';
import { ask } from './ask.ts';
import { mindQuestion } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

interface Wanted {
  readonly round: number;
  readonly mind: number;
  readonly iter: number;
  readonly run: number;
}

const LOOK_AGAIN_MS = 5_000;

/** One mind in one round: draw, show, ask, read, and report when those before it have been heard (X1). */
export function createExchangeMind(models: Models, time: Time): Perform<State, Command> {
  return async (job, work) => {
    const wanted = job.input as unknown as Wanted;
    const keep = { finished: models.finished, job: job.key };
    if (await reportKept(work, keep, () => untilHeard(work, wanted))) return;
    const exchange = modeState('exchange', await work.state());
    const { terms, hashes, version } = exchange ? termsNow(exchange) : {};
    const mind = terms?.minds[wanted.mind];
    if (!exchange?.run || !terms || !hashes || !mind || nextRound(exchange) !== wanted.round) return;
    const actor: Actor = { id: mind.id, kind: 'agent' };
    const seed = seedFor(exchange.run.seed, wanted.round, wanted.mind);
    const input = mindInput(exchange, wanted.mind, seed);
    const { signal } = work;
    const onWait = reportWaits(
      work,
      CLOCKWORK,
      (now) => modeState('exchange', now)?.run,
      (facts) => ({
        name: 'rounds_wait',
        input: { run: wanted.run, ...facts },
      }),
    );
    const patience = { time, signal, onWait };
    await work.present(actor, 'thinking');
    try {
      const question = {
        ...mindQuestion(terms, input),
        ...{ job: job.key, from: mind.id },
        ...{ purpose: 'mind' as const, model: mind.model, seed, run: `${wanted.run}.${exchange.run.resumed}` },
        budget: exchange.run.budget,
      };
      const outcome = await ask(models, work, question, patience);
      if (!outcome) return;
      await untilHeard(work, wanted);
      const facts = { thread: work.thread, ...wanted, seed, prompt: hashes.mind_prompt, terms: version ?? 1 };
      const command = { name: 'mind_spoke' as const, input: { ...facts, ...outcome } };
      const result = { actor, id: `${work.thread}/${job.key}`, command };
      // Called off with this server, or taken over by another: what is finished waits there for its turn.
      if (!signal.aborted || work.unwanted()) await report(work, result, keep);
      else if (isWhole(outcome)) await keepResult(work, result, keep);
    } finally {
      await work.present(actor, 'listening');
    }
  };
}

/** Minds asked at once are heard in their order: what they cost is the time of the slowest, and the log is the same. */
async function untilHeard(work: Work<State, Command>, { round, mind }: Wanted): Promise<void> {
  while (!work.signal.aborted) {
    const changed = work.changed(LOOK_AGAIN_MS);
    const exchange = modeState('exchange', await work.state()) as Exchange;
    if (nextRound(exchange) !== round || exchange.current.spoken >= mind) return;
    await changed;
  }
}
