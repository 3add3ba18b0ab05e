import { HEDDLE_KEY } from '../extra-fields.ts';
import { firstVersionsOf, type LoomTree, type TreeNode } from '../tree.ts';

/** Puts fields that a format cannot hold under our own key, which other programs ignore. */
export function heddleFieldsOf(node: TreeNode, fields: readonly (keyof TreeNode)[]): Record<string, unknown> {
  const heddleFields: Record<string, unknown> = {};
  for (const field of fields) if (node[field] !== undefined && node[field] !== false) heddleFields[field] = node[field];
  return Object.keys(heddleFields).length > 0 ? { [HEDDLE_KEY]: heddleFields } : {};
}

/** Loom-wide data that a format cannot hold: the shown version by the first node of each place (W29). */
export function heddleTreeFieldsOf({ nodes, chosen = [] }: LoomTree): Record<string, unknown> {
  if (chosen.length === 0) return {};
  const firstVersions = firstVersionsOf(nodes);
  const selections = chosen.filter((id) => firstVersions.has(id)).map((id) => [firstVersions.get(id), id]);
  return { [HEDDLE_KEY]: { versionSelections: Object.fromEntries(selections) } };
}

export interface LoomFileLayout {
  /** Undefined if no node can be the single root that these formats need. */
  readonly root: TreeNode | undefined;
  /** The id of the root: a node's id or a generated one. */
  readonly rootId: string;
  /** Children in order; the key undefined has those that follow the root. */
  readonly children: ReadonlyMap<string | undefined, readonly TreeNode[]>;
}

/**
 * A single first node with text becomes the root. An empty one does not: importers would take it for the loom's own
 * root.
 */
export function layoutOf({ nodes }: LoomTree): LoomFileLayout {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const ids = new Set(nodes.map(({ id }) => id));
  const topNodes = children.get(undefined) ?? [];
  const root = topNodes.length === 1 && topNodes[0]?.content !== '' ? topNodes[0] : undefined;
  let rootId = root?.id ?? 'root';
  for (let n = 2; root === undefined && ids.has(rootId); n++) rootId = `root-${n}`;
  return { root, rootId, children };
}
