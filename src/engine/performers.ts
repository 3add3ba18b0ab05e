import type { Job } from '../core/decider.ts';
import type { Command, State } from '../core/workspace.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Embedder } from '../models/embedder.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import { createByCommand, type ProgramsPlace } from './agents/command.ts';
import { createCoordinator } from './agents/coordinator.ts';
import { createByModel } from './agents/model.ts';
import type { Models } from './calls/models.ts';
import { holdersOf } from './credentials.ts';
import { createClustering } from './dialogue/clustering.ts';
import { createMind } from './dialogue/mind.ts';
import type { EngineParts } from './engine.ts';
import { createAuditor } from './exchange/auditor.ts';
import { createExchangeMind } from './exchange/mind.ts';
import { branchByPolicy, createSettle } from './exchange/settle.ts';
import { writerOf } from './job-writer.ts';
import { type Perform, SETTLE_KEPT } from './jobs.ts';
import { createGenerate } from './loom/generate.ts';
import { createSettleKept } from './report/report.ts';

/** How the long work of a workspace is done: by kind of job, with the models that are there. */
export function createWork(
  log: EventLog,
  models: Models,
  embedder: Embedder,
  /** Where command-line agents work; without one, none is run. */
  agents?: ProgramsPlace,
  time: Time = realTime,
): Required<Pick<EngineParts, 'performers' | 'accepts' | 'serves'>> {
  const answerers = [
    createByModel(log, models),
    ...(agents === undefined ? [] : [createByCommand({ log, models, place: agents })]),
  ];
  const coordinator = createCoordinator(answerers, models, time);
  const holders = holdersOf(log);
  const isPerson = (id: string | undefined) => id !== undefined && holders.kindOf(id) === 'human';
  const performers: Readonly<Record<string, Perform<State, Command>>> = {
    'agent.answer': coordinator.perform,
    'mind.iterate': createMind(models, time),
    'mind.cluster': createClustering(embedder),
    'exchange.mind': createExchangeMind(models, time),
    'exchange.audit': createAuditor(models, time),
    'exchange.settle': createSettle(embedder),
    'exchange.branch': branchByPolicy,
    'loom.generate': createGenerate(models, (id) => holders.kindOf(id) !== undefined, time),
  };

  /** Nothing is run under a person's id, whatever a log says of it (T22). */
  function accepts(job: Job, state: State): boolean {
    return !isPerson(writerOf(job, state)) && coordinator.accepts(job, state);
  }

  const settle = createSettleKept(models.finished, isPerson);
  const settleKept: Perform<State, Command> = async (job, work) => {
    await holders.refresh();
    await settle(job, work);
  };

  /** Looked up again right before it begins: another server may have let a person in. */
  function asNobodyElse(perform: Perform<State, Command>): Perform<State, Command> {
    return async (job, work) => {
      await holders.refresh();
      if (!isPerson(writerOf(job, await work.state()))) await perform(job, work);
    };
  }

  const safe = Object.entries(performers).map(([kind, perform]) => [kind, asNobodyElse(perform)] as const);
  return {
    performers: { ...Object.fromEntries(safe), [SETTLE_KEPT]: settleKept },
    accepts,
    serves: (participant, state) => !isPerson(participant) && coordinator.serves(participant, state),
  };
}
