import { authorLabelOf, type Event } from '../../events/event.ts';
import type { AuthorKind, Graph } from '../graph/graph.ts';

/** How an author is shown: a human's words that came with a file are nobody's here (L25). */
export type CreditKind = AuthorKind | 'imported';

export interface AuthorCredit {
  readonly author: string;
  readonly kind: CreditKind;
}

/** Who a node is by, as others are told. */
export function creditOf(graph: Pick<Graph, 'authors' | 'kinds' | 'credits'>, node: number): AuthorCredit {
  const kind = graph.kinds[node] as AuthorKind;
  const credit = graph.credits[node] as string;
  if (credit === '') return { author: graph.authors[node] as string, kind };
  return { author: credit, kind: kind === 'human' ? 'imported' : kind };
}

/** What is said of nodes that a file brought: whom it names, what it is called, and who brought it in. */
export function createFileCredits(importer: string, file: string | undefined): (author: string) => string {
  const creditByAuthor = new Map<string, string>();
  const source = file === undefined ? 'a file' : file;
  return (author) => {
    const credit = creditByAuthor.get(author) ?? `${author} (imported from ${source} by ${importer})`;
    creditByAuthor.set(author, credit);
    return credit;
  };
}

/** What is said of nodes that an event of an import brought. */
export function importCredit(event: Pick<Event, 'from' | 'imported'>): { readonly credit: string } | undefined {
  return event.imported ? { credit: authorLabelOf(event) } : undefined;
}
