import type { EventLog } from '../../log/event-log.ts';
import { MODEL_QUIRKS } from '../../log/record-kinds.ts';
import type { QuirkStorage } from '../../models/registry/quirk-store.ts';

/** Stores the learned quirks of model servers in a row outside the log (M11). */
export function createQuirkStore(log: EventLog): QuirkStorage {
  return {
    load: (key) => log.record(MODEL_QUIRKS, key),
    save: (key, value) => log.putRecords([{ kind: MODEL_QUIRKS, key, value }]),
  };
}
