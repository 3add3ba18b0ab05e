import type { Actor } from '../../core/events/event.ts';
import { auditInput, seedFor } from '../../core/exchange/rounds/inputs.ts';
import { auditTerms } from '../../core/exchange/state.ts';
import { AUDITOR } from '../../core/exchange/terms/terms.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { isWhole } from '../ask/outcome.ts';
import { reportWaits } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { Perform } from '../jobs.ts';
import { report, reportKept } from '../report/report.ts';
import { ask } from './ask.ts';
import { auditQuestion } from './questions.ts';
import { CLOCKWORK } from './settle.ts';

/** The time of a run that is over, or was stopped meanwhile, does not limit an audit that somebody asked for. */
function runOf(state: State) {
  const run = modeState('exchange', state)?.run;
  return run?.state === 'running' ? run : undefined;
}

interface Wanted {
  readonly audit: number;
  readonly attempt: number;
  readonly round: number;
  readonly run: number;
}

/** One try at an audit: the pool as it is, read by the specification that all can read (X4). */
export function createAuditor(models: Models, time: Time): Perform<State, Command> {
  const actor: Actor = { id: AUDITOR, kind: 'agent' };
  return async (job, work) => {
    const wanted = job.input as unknown as Wanted;
    const keep = { finished: models.finished, job: job.key };
    if (await reportKept(work, keep)) return;
    const exchange = modeState('exchange', await work.state());
    if (!exchange || exchange.audits.length + 1 !== wanted.audit || exchange.rounds.length !== wanted.round) return;
    const { terms, hashes, version } = auditTerms(exchange);
    const seed = seedFor(exchange.run?.seed ?? 0, wanted.round, 63) + wanted.attempt;
    const input = auditInput(exchange);
    const { signal } = work;
    const onWait = reportWaits(work, CLOCKWORK, runOf, (facts) => ({
      name: 'rounds_wait',
      input: { run: wanted.run, audit: wanted.audit, ...facts },
    }));
    const patience = { time, signal, onWait };
    await work.present(actor, 'thinking');
    try {
      const question = {
        ...auditQuestion(terms, input),
        ...{ job: job.key, from: AUDITOR, run: `${wanted.run}.${exchange.run?.resumed ?? 0}` },
        ...{ purpose: 'auditor' as const, model: terms.auditor_model, seed, budget: exchange.run?.budget },
      };
      const outcome = await ask(models, work, question, patience);
      if (!outcome || (signal.aborted && !work.unwanted() && !isWhole(outcome))) return;
      const facts = { thread: work.thread, ...wanted, seed, prompt: hashes.auditor_spec, terms: version, ...outcome };
      await report(work, { actor, id: `${work.thread}/${job.key}`, command: { name: 'audited', input: facts } }, keep);
    } finally {
      await work.present(actor, 'listening');
    }
  };
}
