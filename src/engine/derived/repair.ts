import { workspace } from '../../core/workspace.ts';
import type { RepairPlan } from '../../formats/verify/repair-plan.ts';
import type { ProgressOptions, Verification } from '../../formats/verify/verify.ts';
import type { EventLog } from '../../log/event-log.ts';
import { proveLog } from './proof.ts';
import { makeRows } from './rows.ts';

/** Updates the list of threads after events were repaired, and verifies everything (L22). */
export async function finishRepair(
  log: EventLog,
  { threads }: RepairPlan,
  options: ProgressOptions,
): Promise<Verification> {
  await makeRows([...threads.keys()].sort(), { log, fold: workspace });
  return proveLog(log, undefined, options);
}
