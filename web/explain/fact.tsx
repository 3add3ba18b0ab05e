import { type ReactNode, useState } from 'react';
import styles from './account.module.css';

/** One question about a text and its answer. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section aria-label={name} className={styles.fact}>
      <h3>{name}</h3>
      <div>{children}</div>
    </section>
  );
}

export function PlaceLink({ link }: { readonly link: string }) {
  return (
    <a href={link} data-in-page title={link} className={styles.place}>
      Open
    </a>
  );
}

/** The beginning of a hash; a click copies all of it. */
export function Hash({ hash }: { readonly hash: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(hash).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <button type="button" className={styles.hash} title={`${hash} (copy)`} onClick={() => void copy()}>
      <code>{hash.slice(0, 12)}…</code>
      <span aria-live="polite">{isCopied ? ' Copied' : ''}</span>
    </button>
  );
}
