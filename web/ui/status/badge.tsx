import type { ReactNode } from 'react';
import { Glyph, type Icon } from '../icon.tsx';
import styles from './badge.module.css';

/** How many things need you. */
export function Badge({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  );
}

/** The badge of the inbox; nothing if nothing needs you. */
export function NeedsBadge({ count }: { readonly count: number }) {
  return count === 0 ? null : <Badge count={count} label={count === 1 ? '1 needs you' : `${count} need you`} />;
}

interface TagProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad' | 'needs';
  readonly icon?: Icon;
  readonly children: ReactNode;
}

/** A state in a word or two. */
export function Tag({ tone = 'plain', icon, children }: TagProps) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`}>
      {icon && <Glyph icon={icon} size={12} />}
      {children}
    </span>
  );
}
