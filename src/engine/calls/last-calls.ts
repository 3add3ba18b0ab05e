import type { EventLog } from '../../log/event-log.ts';
import { MODEL_LAST_CALL } from '../../log/record-kinds.ts';
import type { ModelEntry } from '../../models/registry/schema.ts';

/** How the last real call of a model went. */
export interface LastCall {
  readonly at: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Why it failed, as a sentence; absent if the model answered. */
  readonly failure?: string;
}

/** Another model of the same name was never called. */
interface StoredCall {
  readonly model: string;
  readonly call: LastCall;
}

/** Keeps the last call of each model in a row outside the log: the next process knows it too (M14). */
export function createLastCalls(log: EventLog) {
  const known = new Map<string, StoredCall>();
  return {
    /** No answer waits or fails because of this row. */
    note(name: string, entry: ModelEntry, call: LastCall): void {
      const stored = { model: identityOf(entry), call };
      known.set(name, stored);
      log.putRecords([{ kind: MODEL_LAST_CALL, key: name, value: JSON.stringify(stored) }]).catch(() => {});
    },
    async of(name: string, entry: ModelEntry): Promise<LastCall | undefined> {
      const text = known.has(name) ? undefined : await log.record(MODEL_LAST_CALL, name).catch(() => undefined);
      const stored = known.get(name) ?? (text === undefined ? undefined : (JSON.parse(text) as StoredCall));
      return stored?.model === identityOf(entry) ? stored.call : undefined;
    },
  };
}

function identityOf(entry: ModelEntry): string {
  const server = 'base_url' in entry ? entry.base_url : undefined;
  const model = 'model' in entry ? entry.model : 'path' in entry ? entry.path : undefined;
  return [entry.provider, server ?? '-', model ?? '-'].join(' ');
}
