import { authorLabelOf, type Event } from '../../events/event.ts';
import type { AuthorKind, Graph } from '../graph/graph.ts';
import type { AuthorCredit } from '../view-schema.ts';

/** The author of a node, as shown to others. */
export function creditOf(graph: Pick<Graph, 'authors' | 'kinds' | 'credits'>, node: number): AuthorCredit {
  const kind = graph.kinds[node] as AuthorKind;
  const credit = graph.credits[node] as string;
  if (credit === '') return { author: graph.authors[node] as string, kind };
  return { author: credit, kind: kind === 'human' ? 'imported' : kind };
}

/** Credits for nodes imported from a file: the author it names, the file name, and who imported it. */
export function createFileCredits(importer: string, file: string | undefined): (author: string) => string {
  const creditByAuthor = new Map<string, string>();
  const source = file === undefined ? 'a file' : file;
  return (author) => {
    const credit = creditByAuthor.get(author) ?? `${author} (imported from ${source} by ${importer})`;
    creditByAuthor.set(author, credit);
    return credit;
  };
}

/** The credit for nodes that come from an imported event. */
export function importCredit(event: Pick<Event, 'from' | 'imported'>): { readonly credit: string } | undefined {
  return event.imported ? { credit: authorLabelOf(event) } : undefined;
}
