import type { EventLog } from '../../log/event-log.ts';
import { MODEL_QUIRKS } from '../../log/record-kinds.ts';
import type { QuirkStorage } from '../../models/registry/quirk-store.ts';

/** What servers of models take, kept beside the log (M11). */
export function createQuirkStore(log: EventLog): QuirkStorage {
  return {
    load: (key) => log.record(MODEL_QUIRKS, key),
    save: (key, value) => log.putRecords([{ kind: MODEL_QUIRKS, key, value }]),
  };
}
