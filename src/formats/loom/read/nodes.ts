import { getText, isObject, type JsonFields } from '../fields.ts';
import type { JsonValue } from '../json.ts';
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
    else reporter.noteProblem('Something that is not a node stands among the nodes.', key);
  }
  return result;
}
