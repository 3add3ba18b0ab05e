import { formatNumber } from '../../../src/core/text/format-number.ts';
import styles from './tabs.module.css';

interface LinkTab {
  readonly href: string;
  readonly label: string;
  readonly count?: number;
  readonly isCurrent: boolean;
}

/** Tabs that are places of their own: each has an address. */
export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  return (
    <nav aria-label={label} className={`${styles.list} ${styles.links}`}>
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          data-in-page
          className={styles.tab}
          aria-current={tab.isCurrent ? 'page' : undefined}
          data-active={tab.isCurrent || undefined}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}>{formatNumber(tab.count)}</span>}
        </a>
      ))}
    </nav>
  );
}
