import type { WeaveCommit, WeaveNode } from '../../../../src/core/loom/weave/weave.ts';
import { parseStreamNodeId } from './outbox.ts';

/** An edit that was committed while the text it was made of was still being written. */
interface StreamEdit {
  /** The growing text. */
  readonly streamId: string;
  /** So much of it the edit was made of. */
  readonly baseLength: number;
  /** So much of it is shown behind the edit by now. */
  shownLength: number;
}

/** What was committed of growing texts, by the name it has until it is stored: whatever still comes belongs to it too. */
export function createStreamEdits() {
  const all = new Map<string, StreamEdit>();
  return {
    all,
    add({ edits }: WeaveCommit, nodes: readonly WeaveNode[]): void {
      for (const { node, as } of edits) {
        const previous = all.get(node);
        const baseLength = previous?.shownLength ?? nodes.findLast(({ id }) => id === node)?.text.length ?? 0;
        if (previous || parseStreamNodeId(node))
          all.set(as, { streamId: previous?.streamId ?? node, baseLength, shownLength: baseLength });
      }
    },
    forget({ edits }: WeaveCommit): void {
      for (const { as } of edits) all.delete(as);
    },
  };
}

/** Half a surrogate pair waits for the other half. */
export function trimHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
}
