/* The public interface of the weave; the other files in this folder are internal. */
export { commit, revertCommits, settle, type WeaveCommit } from './commit.ts';
export { applyChanges, type EditResult, type TextChange } from './edit.ts';
export { redo, undo } from './history.ts';
export { growNode, showPath } from './path.ts';
export { type RestoredWeave, restoreWeave, type Scratch, scratchOf } from './scratch.ts';
export type { TextRange } from './slots.ts';
export {
  bufferOf,
  createWeave,
  lengthOf,
  nodeAt,
  nodesIn,
  type PendingEdit,
  pendingEdits,
  rangeOf,
  textOf,
  type Weave,
  type WeaveNode,
} from './state.ts';
