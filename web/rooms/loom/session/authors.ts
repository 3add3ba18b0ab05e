import { creditedAuthor, type ShownKind } from '../../../../src/core/loom/authorship/credits.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';

export interface Author {
  readonly id: string;
  readonly kind: ShownKind;
  /** Of the ring of eight, for models; people have the colour of ink (W15). */
  readonly hue: number | undefined;
}

const RING = 8;

/** The authors of a loom in the order they first wrote in it, which gives each model its hue for good. */
export function createAuthors() {
  const known = new Map<string, Author>();
  let [read, hues] = [1, 0];

  function add(id: string, kind: Author['kind']): Author {
    const key = `${kind} ${id}`;
    let author = known.get(key);
    if (!author) {
      author = { id, kind, hue: kind === 'model' ? hues++ % RING : undefined };
      known.set(key, author);
    }
    return author;
  }

  return {
    /** Nodes only come: each is looked at once. */
    all(state: LoomState): readonly Author[] {
      const graph = state.graph.look();
      for (; read < graph.authors.length; read++) {
        const { author, kind } = creditedAuthor(graph, read);
        add(author, kind);
      }
      return [...known.values()];
    },
    of: add,
  };
}

export type Authors = ReturnType<typeof createAuthors>;
