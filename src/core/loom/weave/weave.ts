/* The weave's one door: the rest of weave-*.ts is its inside. */
export { type Commit, commit, settle, takeBack } from './commit.ts';
export { type Applied, apply, type Change } from './edit.ts';
export { redo, undo } from './history.ts';
export { growNode, showPath } from './path.ts';
export { type Restored, restoreWeave, type ScratchEdit, scratchOf } from './scratch.ts';
export type { Range } from './slots.ts';
export {
  bufferOf,
  createWeave,
  lengthOf,
  nodeAt,
  nodesIn,
  type PendingEdit,
  pendingOf,
  rangeOf,
  textOf,
  type Weave,
  type WeaveNode,
} from './state.ts';
