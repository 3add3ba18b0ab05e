import type { Commit, WeaveNode } from '../../../../src/core/loom/weave/weave.ts';
import { growingParts } from './outbox.ts';

/** An edit that was committed while the text it was made of was still being written. */
interface Growth {
  /** The growing text. */
  readonly name: string;
  /** So much of it the edit was made of. */
  readonly base: number;
  /** So much of it is shown behind the edit by now. */
  seen: number;
}

/** What was committed of growing texts, by the name it has until it is stored: whatever still comes belongs to it too. */
export function createGrowths() {
  const all = new Map<string, Growth>();
  return {
    all,
    add({ edits }: Commit, nodes: readonly WeaveNode[]): void {
      for (const { node, as } of edits) {
        const again = all.get(node);
        const base = again?.seen ?? nodes.findLast(({ id }) => id === node)?.text.length ?? 0;
        if (again || growingParts(node)) all.set(as, { name: again?.name ?? node, base, seen: base });
      }
    },
    forget({ edits }: Commit): void {
      for (const { as } of edits) all.delete(as);
    },
  };
}

/** Half a surrogate pair waits for the other half. */
export function whole(text: string): string {
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
}
