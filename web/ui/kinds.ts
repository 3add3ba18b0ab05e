import type { ThreadRow } from '../../src/client/index.ts';
import { withArticle } from '../../src/core/text/article.ts';

export type ThreadKind = ThreadRow['kind'];

/** The four kinds of thread, in the order they are shown everywhere, with a description of each. */
export const KINDS = [
  { kind: 'conversation', one: 'thread', many: 'Threads', is: 'people and agents write to each other' },
  { kind: 'dialogue', one: 'dialogue', many: 'Dialogues', is: 'a mind drafts until you accept an answer' },
  {
    kind: 'exchange',
    one: 'exchange',
    many: 'Exchanges',
    is: 'minds think in a shared pool, an auditor sums up, you decide',
  },
  { kind: 'loom', one: 'loom', many: 'Looms', is: 'a text you and models write together, in branches' },
] as const satisfies readonly {
  readonly kind: ThreadKind;
  readonly one: string;
  readonly many: string;
  readonly is: string;
}[];

export function kindName(kind: ThreadKind): string {
  return KINDS.find((each) => each.kind === kind)?.one ?? 'thread';
}

/** "threads" */
export function kindPlural(kind: ThreadKind): string {
  return KINDS.find((each) => each.kind === kind)?.many.toLowerCase() ?? 'threads';
}

/** "a thread", "an exchange" */
export function kindWithArticle(kind: ThreadKind): string {
  return withArticle(kindName(kind));
}
