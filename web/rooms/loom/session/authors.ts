import { type CreditKind, creditOf } from '../../../../src/core/loom/authorship/credits.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';

export interface LoomAuthor {
  readonly id: string;
  readonly kind: CreditKind;
  /** Of the ring of eight, for models; people have the colour of ink (W15). */
  readonly hue: number | undefined;
}

const HUE_COUNT = 8;

/** The authors of a loom in the order they first wrote in it, which gives each model its hue for good. */
export function createAuthors() {
  const byKey = new Map<string, LoomAuthor>();
  let [nextNode, hueCount] = [1, 0];

  function add(id: string, kind: LoomAuthor['kind']): LoomAuthor {
    const key = `${kind} ${id}`;
    let author = byKey.get(key);
    if (!author) {
      author = { id, kind, hue: kind === 'model' ? hueCount++ % HUE_COUNT : undefined };
      byKey.set(key, author);
    }
    return author;
  }

  return {
    /** Nodes only come: each is looked at once. */
    all(state: LoomState): readonly LoomAuthor[] {
      const graph = state.graph.read();
      for (; nextNode < graph.authors.length; nextNode++) {
        const { author, kind } = creditOf(graph, nextNode);
        add(author, kind);
      }
      return [...byKey.values()];
    },
    of: add,
  };
}

export type LoomAuthors = ReturnType<typeof createAuthors>;
