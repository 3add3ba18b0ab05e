import { workspace } from '../core/workspace.ts';
import { rebuildQuietly } from '../engine/rebuild.ts';
import type { EventLog } from '../log/event-log.ts';

export { adopt } from '../engine/adopt.ts';

/** Makes the derived rows of a workspace anew. */
export function rebuildAll(log: EventLog, progress: (done: number, total: number) => void) {
  return rebuildQuietly(log, workspace, progress);
}
