import type { WeaveCommit, WeaveNode } from '../../../../src/core/loom/weave/weave.ts';
import { parseStreamNodeId } from './outbox.ts';

/** An edit that was committed while its base text was still streaming. */
interface StreamEdit {
  /** The id of the streaming text. */
  readonly streamId: string;
  /** The length of the streaming text when the edit was made. */
  readonly baseLength: number;
  /** The length of the streaming text that is shown now, including the part after the edit. */
  shownLength: number;
}

/** Committed edits of streaming texts, by temporary id: text that arrives later belongs to them too. */
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
