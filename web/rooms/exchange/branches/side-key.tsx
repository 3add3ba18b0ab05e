import styles from './comparison.module.css';

/** The letter of a branch: A has a solid frame, B a dashed one, like their lines. */
export function SideKey({ side }: { readonly side: 'A' | 'B' }) {
  return <span className={side === 'A' ? styles.key : `${styles.key} ${styles.keyB}`}>{side}</span>;
}
