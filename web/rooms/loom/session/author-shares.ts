import { bufferOf } from '../../../../src/core/loom/weave/weave.ts';
import { countWords } from '../word-count.ts';
import type { LoomAuthor, LoomAuthors } from './authors.ts';
import type { EditSession } from './edit-session.ts';
import { isCommitted } from './node-views.ts';
import { parseStreamNodeId } from './outbox.ts';

export interface AuthorShare {
  readonly author: LoomAuthor;
  readonly words: number;
  /** Of all characters of the text, from 0 to 1. */
  readonly share: number;
}

interface Part {
  readonly author: LoomAuthor;
  readonly length: number;
  readonly words: number;
}

/** Counts who wrote how much of the text that is shown. Nodes never change, so each is counted once. */
export function createAuthorShares(session: EditSession, authors: LoomAuthors) {
  const counted = new Map<string, readonly Part[]>();

  function partsOf(id: string, text: string): readonly Part[] {
    const stream = parseStreamNodeId(id);
    if (stream) {
      const { author, kind } = session.authorOfStream(stream.generation);
      return [{ author: authors.of(author, kind), length: text.length, words: countWords(text) }];
    }
    if (!isCommitted(id)) return [own(text)];
    let parts = counted.get(id);
    if (!parts) {
      parts = session.facts.spans(session.state(), id).map(({ start, end, author, kind }) => ({
        author: authors.of(author, kind),
        length: end - start,
        words: countWords(text.slice(start, end)),
      }));
      counted.set(id, parts);
    }
    return parts;
  }

  function own(text: string): Part {
    return { author: authors.of(session.me, 'human'), length: text.length, words: countWords(text) };
  }

  return (): readonly AuthorShare[] => {
    const weave = session.weave();
    const totals = new Map<LoomAuthor, { length: number; words: number }>();
    let all = 0;
    for (const { author, length, words } of [
      ...weave.nodes.flatMap(({ id, text }) => partsOf(id, text)),
      own(bufferOf(weave)),
    ]) {
      const total = totals.get(author) ?? { length: 0, words: 0 };
      totals.set(author, { length: total.length + length, words: total.words + words });
      all += length;
    }
    return [...totals]
      .filter(([, { length }]) => length > 0)
      .map(([author, { length, words }]) => ({ author, words, share: length / all }))
      .sort((a, b) => b.share - a.share);
  };
}
