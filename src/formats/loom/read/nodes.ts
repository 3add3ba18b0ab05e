import { type Fields, isObject, text } from '../fields.ts';
import type { Value } from '../json.ts';
import type { Reporter } from '../report.ts';

export interface Entry {
  readonly id: string | undefined;
  readonly node: Fields;
}

/** The nodes of a map by id, or of a list; a node's own id counts for more than the key it stands under. */
export function nodesOf(nodes: Value | undefined, reporter: Reporter): readonly Entry[] {
  const found: Entry[] = [];
  if (typeof nodes !== 'object' || nodes === null) return found;
  const keyed = !Array.isArray(nodes);
  for (const [key, node] of Object.entries(nodes)) {
    if (isObject(node)) found.push({ id: text(node, 'id') ?? (keyed ? key : undefined), node });
    else reporter.problem('Something that is not a node stands among the nodes.', key);
  }
  return found;
}
