import { creditOf } from '../../../../src/core/loom/authorship/credits.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import type { CreditKind } from '../../../../src/core/loom/view-schema.ts';
import { hueOf } from '../../../ui/people/hue.ts';

export interface LoomAuthor {
  readonly id: string;
  readonly kind: CreditKind;
  /** The hue that this participant has in every room (W15). */
  readonly hue: number;
}

/** The authors of a loom in order of first appearance. */
export function createAuthors() {
  const byKey = new Map<string, LoomAuthor>();
  let nextNode = 1;

  function add(id: string, kind: LoomAuthor['kind']): LoomAuthor {
    const key = `${kind} ${id}`;
    let author = byKey.get(key);
    if (!author) {
      author = { id, kind, hue: hueOf(id) };
      byKey.set(key, author);
    }
    return author;
  }

  return {
    /** Nodes are never removed, so each is read only once. */
    all(state: LoomState): readonly LoomAuthor[] {
      const graph = state.graph.read();
      for (; nextNode < graph.authors.length; nextNode++) {
        const { author, kind } = creditOf(graph, nextNode);
        add(author, kind);
      }
      return [...byKey.values()];
    },
    of: add,
    isModel: (id: string) => byKey.has(`model ${id}`),
  };
}

export type LoomAuthors = ReturnType<typeof createAuthors>;

/** The participant id of a model, from its name. */
export function modelId(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
}
