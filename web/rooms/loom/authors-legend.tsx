import { useEffect, useState } from 'react';
import { formatCount } from '../../../src/core/text/pluralize.ts';
import { Face, Name } from '../../ui/people/participant.tsx';
import styles from './authors.module.css';
import type { OpenLoom } from './loom.ts';
import type { AuthorShare } from './session/author-shares.ts';

/** An imported file may name any number of authors; the text itself still shows each of them. */
const MAX_NAMED_AUTHORS = 8;
const COUNT_MS = 300;

/** Who wrote how much, as a bar and in words, above the text. */
export function AuthorsLegend({ loom }: { readonly loom: OpenLoom }) {
  const shares = useAuthorShares(loom);
  return (
    <section className={styles.legend} aria-label="Authors">
      <div className={styles.shares} aria-hidden="true">
        {shares.map(({ author, share }) => (
          <i key={`${author.kind} ${author.id}`} data-hue={author.hue} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className={styles.names}>
        {shares.slice(0, MAX_NAMED_AUTHORS).map(({ author, words, share }) => (
          <li key={`${author.kind} ${author.id}`} data-hue={author.hue}>
            <Face id={author.id} size="small" />
            <AuthorName loom={loom} id={author.id} />
            <span className={styles.count}>
              {formatCount(words, 'word')}, {formatShare(share)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same as a list in the panel. */
export function AuthorList({ loom }: { readonly loom: OpenLoom }) {
  const shares = useAuthorShares(loom);
  if (shares.length === 0) return null;
  return (
    <section aria-label="Authors" className={styles.list}>
      <h3>Authors</h3>
      <ul>
        {shares.slice(0, MAX_NAMED_AUTHORS).map(({ author, share }) => (
          <li key={`${author.kind} ${author.id}`} data-hue={author.hue}>
            <Face id={author.id} size="small" />
            <AuthorName loom={loom} id={author.id} />
            <span className={styles.count}>{formatShare(share)}</span>
          </li>
        ))}
        {shares.length > MAX_NAMED_AUTHORS && <li>and {shares.length - MAX_NAMED_AUTHORS} more</li>}
      </ul>
    </section>
  );
}

export function AuthorName({ loom, id }: { readonly loom: OpenLoom; readonly id: string }) {
  return id === loom.me ? <span>You</span> : <Name id={id} />;
}

function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 ? '< 1%' : `${percent}%`;
}

function useAuthorShares({ authorShares, session, caret }: OpenLoom): readonly AuthorShare[] {
  const [shares, setShares] = useState(authorShares);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setShares(authorShares()), COUNT_MS);
    };
    const stops = [session.revision.watch(schedule), caret.watch(schedule)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [authorShares, session, caret]);
  return shares;
}
