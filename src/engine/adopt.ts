import { type Imported, type ImportParts, importFile } from '../formats/import.ts';
import type { EventLog } from '../log/event-log.ts';
import { createIndexRows } from './index-rows.ts';
import { createSecrets, type Secrets } from './secrets.ts';

/** Brings an export into a workspace, the rows of its index with it. */
export function adopt(
  log: EventLog,
  path: string,
  parts: Omit<ImportParts, 'derived' | 'refuses'> = {},
  secrets: Secrets = createSecrets(),
): Promise<Imported> {
  return importFile(log, path, { ...parts, derived: createIndexRows(log), refuses: secrets.check });
}
