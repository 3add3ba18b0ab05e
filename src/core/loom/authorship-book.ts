import { type Attributed, type Span, spansAfterEdit, writtenBy } from './authorship.ts';

/** What the book has to know of a node. `spans` where they are given and not found: after a split or a merge. */
export interface AuthoredNode {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  readonly editedFrom?: string;
  readonly spans?: readonly Span[];
}

export interface AuthorshipBook {
  /** The spans of a node; found once, as only a node that still streams changes. */
  spansOf(node: string): readonly Span[];
  /** The spans of a node as somebody is editing it. */
  spansOfEdit(node: string, current: string, editor: string): readonly Span[];
  /** Spans of the part of a path from `from` to `to`, from its nodes there (as `nodesIn` of the weave gives them). */
  spansIn(from: number, to: number, nodes: Iterable<ShownNode>): Span[];
}

export interface ShownNode {
  readonly from: number;
  readonly to: number;
  readonly spans: () => readonly Span[];
}

export function authorshipBook(find: (id: string) => AuthoredNode | undefined): AuthorshipBook {
  const known = new Map<string, Attributed>();

  /** The node's versions from itself back to the first. */
  function chainOf(id: string): AuthoredNode[] {
    const chain: AuthoredNode[] = [];
    const seen = new Set<string>();
    for (let next: string | undefined = id; next !== undefined && !seen.has(next); ) {
      const node = find(next);
      if (node === undefined) break;
      seen.add(next);
      chain.push(node);
      next = node.editedFrom;
    }
    return chain;
  }

  /** All of the chain with spans, the oldest first. */
  function attributed(id: string): Attributed[] {
    const made: Attributed[] = [];
    for (const node of chainOf(id).toReversed()) {
      let entry = known.get(node.id);
      if (entry?.text !== node.text) entry = { text: node.text, spans: node.spans ?? found(node, made) };
      known.set(node.id, entry);
      made.push(entry);
    }
    return made;
  }

  function found({ text, author }: AuthoredNode, earlier: readonly Attributed[]): readonly Span[] {
    const parent = earlier.at(-1);
    if (parent === undefined) return writtenBy(author, text);
    return spansAfterEdit(parent, text, author, earlier.slice(0, -1).toReversed());
  }

  return {
    spansOf(id) {
      const [entry, node] = [known.get(id), find(id)];
      if (entry !== undefined && entry.text === node?.text) return entry.spans;
      return attributed(id).at(-1)?.spans ?? [];
    },
    spansOfEdit: (id, current, editor) => found({ id, text: current, author: editor }, attributed(id)),
    spansIn(from, to, nodes) {
      const spans: Span[] = [];
      for (const node of nodes) {
        if (node.to <= from || node.from >= to) continue;
        for (const span of node.spans()) {
          const [start, end] = [Math.max(from, node.from + span.from), Math.min(to, node.from + span.to)];
          if (start < end) spans.push({ from: start, to: end, author: span.author });
        }
      }
      return spans;
    },
  };
}
