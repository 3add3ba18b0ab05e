import { HEDDLE_KEY } from '../extra-fields.ts';
import type { LoomTree, TreeNode } from '../tree.ts';

/** The fields a format has no place for, under one key of ours that others overlook. */
export function heddleFieldsOf(node: TreeNode, fields: readonly (keyof TreeNode)[]): Record<string, unknown> {
  const heddleFields: Record<string, unknown> = {};
  for (const field of fields) if (node[field] !== undefined && node[field] !== false) heddleFields[field] = node[field];
  return Object.keys(heddleFields).length > 0 ? { [HEDDLE_KEY]: heddleFields } : {};
}

/** What a format has no place for of a loom as a whole: by the first node of each place, the version that is shown (W29). */
export function heddleTreeFieldsOf({ nodes, chosen = [] }: LoomTree): Record<string, unknown> {
  if (chosen.length === 0) return {};
  const firstVersions = new Map<string, string>();
  // A version comes behind what it was made from, so one look back is enough.
  for (const { id, editedFrom: original } of nodes)
    firstVersions.set(id, original === undefined ? id : (firstVersions.get(original) ?? id));
  const selections = chosen.filter((id) => firstVersions.has(id)).map((id) => [firstVersions.get(id), id]);
  return { [HEDDLE_KEY]: { versionSelections: Object.fromEntries(selections) } };
}

export interface LoomFileLayout {
  /** Undefined: these formats need one root, and none of the nodes can be it. */
  readonly root: TreeNode | undefined;
  /** The id of the root, be it a node's or made up. */
  readonly rootId: string;
  /** In their order; those that follow the root under undefined. */
  readonly children: ReadonlyMap<string | undefined, readonly TreeNode[]>;
}

/** A lone first node with a text is the root; an empty one would be taken for the loom's own. */
export function layoutOf({ nodes }: LoomTree): LoomFileLayout {
  const children = new Map<string | undefined, TreeNode[]>();
  const ids = new Set<string>();
  for (const node of nodes) {
    ids.add(node.id);
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  }
  const topNodes = children.get(undefined) ?? [];
  const root = topNodes.length === 1 && topNodes[0]?.content !== '' ? topNodes[0] : undefined;
  let rootId = root?.id ?? 'root';
  for (let n = 2; root === undefined && ids.has(rootId); n++) rootId = `root-${n}`;
  return { root, rootId, children };
}
