/* The weave's one door: the rest of weave-*.ts is its inside. */
export { type Commit, commit, settle, takeBack } from './weave-commit.ts';
export { type Applied, apply, type Change } from './weave-edit.ts';
export { redo, undo } from './weave-history.ts';
export { growNode, showPath } from './weave-path.ts';
export { type Restored, restoreWeave, type ScratchEdit, scratchOf } from './weave-scratch.ts';
export type { Range } from './weave-slots.ts';
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
} from './weave-state.ts';
