export { adopt } from '../engine/adopt.ts';
export { proveLog } from '../engine/prove.ts';
export { rebuildAll } from '../engine/rebuild.ts';
