import type { EventLog } from '../../log/event-log.ts';
import type { Registry } from '../../models/registry/registry.ts';
import { createFiles } from '../attachments/files.ts';
import { createPendingResults } from '../report/pending.ts';
import type { Secrets } from '../secrets.ts';
import { createUsageStore } from '../usage/usage.ts';
import { createCalls } from './calls.ts';

export interface ModelsParts {
  readonly log: EventLog;
  readonly registry: Registry;
  readonly secrets: Secrets;
  readonly now?: () => number;
}

export function createModels({ log, registry, secrets, now = Date.now }: ModelsParts) {
  const usage = createUsageStore(log, now);
  const calls = createCalls({ log, registry, usage, secrets, now });
  return {
    ...{ registry, calls, usage, secrets },
    pendingResults: createPendingResults(log, secrets),
    files: createFiles(log),
    close: registry.close,
  };
}

export type Models = ReturnType<typeof createModels>;
