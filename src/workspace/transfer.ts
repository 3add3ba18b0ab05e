export { proveLog } from '../engine/derived/proof.ts';
export { rebuildAll } from '../engine/derived/rebuild.ts';
export { settleMended } from '../engine/derived/repair.ts';
export { type Adopted, type AdoptParts, adopt, NotEmpty, proveBackup } from '../engine/imports/adopt.ts';
