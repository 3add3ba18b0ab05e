import type { TextSource } from '../mode.ts';
import type { LoomState } from './state.ts';
import { textBefore } from './text-before.ts';
import { viewNode, viewPath } from './view.ts';

/** A node; without one, the end of the reader's path. The text before a node and the node are the path. */
export function loomSource(loom: LoomState, at: string | undefined, reader: string): TextSource | undefined {
  const id = at ?? viewPath(loom, '', reader, { limit: 0 }).tip;
  const node = viewNode(loom, id, reader, String);
  if (!node || node.parent === null) return undefined;
  const { content: text, author, created: ts, seq } = node;
  const kind = node.kind === 'model' ? 'model' : 'human';
  return {
    ...{ at: id, what: 'node' },
    versions: [{ text, event: seq, author: { id: author, kind, ts } }],
    before: textBefore(loom, id, reader),
  };
}
