import { asText, getList, getText, isObject, type JsonFields } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import type { NodeDraft } from '../node-drafts.ts';
import type { ImportReporter } from '../report.ts';

export interface RawNode {
  readonly id: string | undefined;
  readonly node: JsonFields;
}

/** Reads nodes from a map by id or from a list; a node's own id takes precedence over its map key. */
export function readNodes(rawNodes: JsonValue | undefined, reporter: ImportReporter): readonly RawNode[] {
  const result: RawNode[] = [];
  if (typeof rawNodes !== 'object' || rawNodes === null) return result;
  const isKeyed = !Array.isArray(rawNodes);
  for (const [key, node] of Object.entries(rawNodes)) {
    if (isObject(node)) result.push({ id: getText(node, 'id') ?? (isKeyed ? key : undefined), node });
    else reporter.noteProblem('Something among the nodes is not a node.', key);
  }
  return result;
}

/**
 * Resolves the ids by which nodes name their parent, and their children if the format lists them. The list says their
 * order, and their parent if they do not name one themselves; children missing from it come last, in file order.
 */
export function linkNodes(
  drafts: readonly NodeDraft[],
  nodes: readonly RawNode[],
  { parentField, childrenField }: { readonly parentField: string; readonly childrenField?: string },
  reporter: ImportReporter,
): ReadonlyMap<string, number> {
  const indexById = new Map<string, number>();
  drafts.forEach(({ id }, index) => {
    if (id !== undefined && !indexById.has(id)) indexById.set(id, index);
  });
  drafts.forEach((draft, index) => {
    const parentId = getText(nodes[index]?.node, parentField);
    if (parentId === undefined) return;
    const parent = indexById.get(parentId);
    if (parent === undefined)
      reporter.noteProblem('The parent of a node is not in the file; it follows the root.', draft.id);
    else draft.parent = parent;
  });
  if (childrenField === undefined) return indexById;
  nodes.forEach(({ node }, parent) => {
    getList(node, childrenField)?.forEach((id, rank) => {
      const child = indexById.get(asText(id) ?? '');
      const draft = child === undefined ? undefined : drafts[child];
      if (draft === undefined || child === parent) return;
      draft.parent ??= parent;
      if (draft.parent === parent) draft.rank ??= rank;
    });
  });
  return indexById;
}

/** The text of a node; if there is none, the report says so. */
export function contentOf(text: string | undefined, id: string | undefined, reporter: ImportReporter): string {
  if (text === undefined) reporter.noteProblem('A node has no text; it is empty.', id);
  return text ?? '';
}
