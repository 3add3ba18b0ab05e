import type { ReactNode } from 'react';
import { Glyph, type Icon } from '../icon.tsx';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What would be here, and how to begin. */
  readonly text: string;
  readonly actions?: ReactNode;
}

export function EmptyState({ icon, title, text, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Glyph icon={icon} size={28} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
