export { proveLog } from '../engine/derived/proof.ts';
export { rebuildAll } from '../engine/derived/rebuild.ts';
export { finishRepair } from '../engine/derived/repair.ts';
export { type AdoptParts, type AdoptResult, adopt, proveBackup, WorkspaceNotEmpty } from '../engine/imports/adopt.ts';
