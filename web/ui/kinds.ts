import { withArticle } from '../../src/core/text/article.ts';

/** The words for each kind of thread, in the order in which kinds are shown everywhere. */
export const KINDS = [
  {
    kind: 'conversation',
    one: 'thread',
    many: 'Threads',
    is: 'people and agents write to each other',
    brief: 'People and agents talk',
    exported: 'messages',
    message: { name: 'As a message', means: 'Posted at once, in your name.' },
  },
  {
    kind: 'dialogue',
    one: 'dialogue',
    many: 'Dialogues',
    is: 'a mind drafts until you accept an answer',
    brief: 'A model drafts until you accept',
    exported: 'accepted answers',
    message: { name: 'As your next message', means: 'The mind answers it.' },
  },
  {
    kind: 'exchange',
    one: 'exchange',
    many: 'Exchanges',
    is: 'minds think in a shared pool, an auditor sums up, you decide',
    brief: 'Minds debate, you decide',
    exported: 'rounds and audits',
    message: { name: 'As a message from outside', means: 'Every mind sees it until the next audit.' },
  },
  {
    kind: 'loom',
    one: 'loom',
    many: 'Looms',
    is: 'a text you and models write together, in branches',
    brief: 'A text that branches',
    exported: 'the text',
  },
] as const satisfies readonly KindWords[];

interface KindWords {
  readonly kind: string;
  readonly one: string;
  readonly many: string;
  readonly is: string;
  /** The same in a few words. */
  readonly brief: string;
  /** What an export of such a thread as Markdown has in it. */
  readonly exported: string;
  /** A text that is brought into such a thread as a message. */
  readonly message?: { readonly name: string; readonly means: string };
}

/** A kind that this page knows. */
export type ThreadKind = (typeof KINDS)[number]['kind'];

/** The words for any kind; one that this page does not know is called what the log calls it. */
export function kindWords(kind: string): KindWords {
  const known = KINDS.find((each) => each.kind === kind);
  if (known) return known;
  const [conversation] = KINDS;
  const many = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`;
  return {
    ...conversation,
    kind,
    one: kind,
    many,
    is: 'unknown kind',
    brief: 'Unknown kind',
  };
}

/** The kinds that have a list: all that this page knows, then others that there are. */
export function listedKinds(present: Iterable<string>): readonly string[] {
  const known: readonly string[] = KINDS.map(({ kind }) => kind);
  return [...known, ...[...present].filter((kind) => !known.includes(kind)).sort()];
}

/** The address of the list of such threads (C11). */
export function listPath(kind: string | undefined): string {
  if (kind === undefined) return '/all';
  return kind === 'conversation' ? '/threads' : `/${kind}s`;
}

/** The kind of threads that an address lists, if it is the address of a list. */
export function kindAtList(path: string): string | undefined {
  if (path === listPath('conversation')) return 'conversation';
  return /^\/([a-z]{1,32})s$/.exec(path)?.[1];
}

export function kindName(kind: string): string {
  return kindWords(kind).one;
}

/** "threads" */
export function kindPlural(kind: string): string {
  return kindWords(kind).many.toLowerCase();
}

/** "a thread", "an exchange" */
export function kindWithArticle(kind: string): string {
  return withArticle(kindName(kind));
}
