import type { ReactNode } from 'react';
import { Glyph, type Icon } from '../ui/icon.tsx';
import styles from './rows.module.css';

/** Things of one kind, one below the other on a card. */
export function Rows({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  /** A face or a tile. */
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** A state and what can be done, at the end. */
  readonly actions?: ReactNode;
  /** More, over the whole width. */
  readonly children?: ReactNode;
}

export function Row({ icon, title, text, actions, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        {icon}
        <div className={styles.about}>
          <p className={styles.title} dir="auto">
            {title}
          </p>
          {text && <div className={styles.text}>{text}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children && <div className={styles.more}>{children}</div>}
    </li>
  );
}

export function Tile({ icon }: { readonly icon: Icon }) {
  return (
    <span className={styles.tile}>
      <Glyph icon={icon} />
    </span>
  );
}
