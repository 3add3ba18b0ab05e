export { adopt } from '../engine/adopt.ts';
export { rebuildAll } from '../engine/rebuild.ts';
