import type { EventLog } from '../log/event-log.ts';
import type { Embedder } from '../models/embedder.ts';
import { createByCommand } from './agents/by-command.ts';
import { createByModel } from './agents/by-model.ts';
import { createCoordinator } from './agents/coordinator.ts';
import { createClustering } from './dialogue/cluster.ts';
import { createMind } from './dialogue/mind.ts';
import type { EngineParts } from './engine.ts';
import { createAuditor } from './exchange/auditor.ts';
import { createExchangeMind } from './exchange/mind.ts';
import { branchByPolicy, createSettle } from './exchange/settle.ts';
import { createGenerate } from './loom/generate.ts';
import type { Models } from './models.ts';

/** How the long work of a workspace is done: by kind of job, with the models that are there. */
export function createWork(
  log: EventLog,
  models: Models,
  embedder: Embedder,
  /** Where command-line agents work; without one, none is run. */
  agents?: string,
): Required<Pick<EngineParts, 'performers' | 'accepts' | 'serves'>> {
  const coordinator = createCoordinator([
    createByModel(log, models),
    ...(agents === undefined ? [] : [createByCommand({ log, models, directory: agents })]),
  ]);
  return {
    performers: {
      'agent.answer': coordinator.perform,
      'mind.iterate': createMind(models),
      'mind.cluster': createClustering(embedder),
      'exchange.mind': createExchangeMind(models),
      'exchange.audit': createAuditor(models),
      'exchange.settle': createSettle(embedder),
      'exchange.branch': branchByPolicy,
      'loom.generate': createGenerate(models),
    },
    accepts: coordinator.accepts,
    serves: coordinator.serves,
  };
}
