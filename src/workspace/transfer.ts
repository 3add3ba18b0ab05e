export { type Adopted, type AdoptParts, adopt, NotEmpty, proveBackup } from '../engine/adopt.ts';
export { settleMended } from '../engine/mend.ts';
export { proveLog } from '../engine/prove.ts';
export { rebuildAll } from '../engine/rebuild.ts';
