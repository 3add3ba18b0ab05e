import type { EventLog } from '../log/event-log.ts';
import { createByModel } from './agents/by-model.ts';
import { createCoordinator } from './agents/coordinator.ts';
import type { EngineParts } from './engine.ts';
import type { Models } from './models.ts';

/** How the long work of a workspace is done: by kind of job, with the models that are there. */
export function createWork(log: EventLog, models: Models): Required<Pick<EngineParts, 'performers' | 'accepts'>> {
  const coordinator = createCoordinator([createByModel(log, models)]);
  return { performers: { 'agent.answer': coordinator.perform }, accepts: coordinator.accepts };
}
