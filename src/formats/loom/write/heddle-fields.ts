import { OURS } from '../extra-fields.ts';
import type { LoomTree, TreeNode } from '../tree.ts';

/** The fields a format has no place for, under one key of ours that others overlook. */
export function oursFor(node: TreeNode, fields: readonly (keyof TreeNode)[]): Record<string, unknown> {
  const ours: Record<string, unknown> = {};
  for (const field of fields) if (node[field] !== undefined && node[field] !== false) ours[field] = node[field];
  return Object.keys(ours).length > 0 ? { [OURS]: ours } : {};
}

/** What a format has no place for of a loom as a whole: by the first node of each place, the version that is shown (W29). */
export function oursForTree({ nodes, chosen = [] }: LoomTree): Record<string, unknown> {
  if (chosen.length === 0) return {};
  const firsts = new Map<string, string>();
  // A version comes behind what it was made from, so one look back is enough.
  for (const { id, editedFrom: from } of nodes) firsts.set(id, from === undefined ? id : (firsts.get(from) ?? id));
  const selections = chosen.filter((id) => firsts.has(id)).map((id) => [firsts.get(id), id]);
  return { [OURS]: { versionSelections: Object.fromEntries(selections) } };
}

export interface Layout {
  /** Undefined: these formats need one root, and none of the nodes can be it. */
  readonly root: TreeNode | undefined;
  /** The id of the root, be it a node's or made up. */
  readonly rootId: string;
  /** In their order; those that follow the root under undefined. */
  readonly children: ReadonlyMap<string | undefined, readonly TreeNode[]>;
}

/** A lone first node with a text is the root; an empty one would be taken for the loom's own. */
export function layoutOf({ nodes }: LoomTree): Layout {
  const children = new Map<string | undefined, TreeNode[]>();
  const ids = new Set<string>();
  for (const node of nodes) {
    ids.add(node.id);
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  }
  const firsts = children.get(undefined) ?? [];
  const root = firsts.length === 1 && firsts[0]?.content !== '' ? firsts[0] : undefined;
  let rootId = root?.id ?? 'root';
  for (let n = 2; root === undefined && ids.has(rootId); n++) rootId = `root-${n}`;
  return { root, rootId, children };
}
