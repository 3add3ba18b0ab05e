import { useMemo } from 'react';
import { useSnippets } from '../data/snippets.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { listPath } from '../ui/kinds.ts';
import styles from './column.module.css';
import { hiddenKinds, isShownKind } from './hidden-kinds.ts';
import { ThreadItem } from './thread-item.tsx';

const MAX_RECENT = 8;

/** The threads that were last worked on, with the newest text of each. */
export function RecentThreads() {
  const threads = useStore(threadRows);
  const unread = useStore(unreadCounts);
  const hidden = useStore(hiddenKinds);
  const urgent = new Set(useStore(needs).flatMap(({ row, quiet }) => (row && !quiet ? row.id : [])));
  const rows = useMemo(() => {
    const ordered = sortThreads([...(threads?.values() ?? [])]);
    return ordered
      .filter(({ row, depth }) => depth === 0 && isShownKind(hidden, row))
      .slice(0, MAX_RECENT)
      .map(({ row }) => row);
  }, [threads, hidden]);
  const snippetOf = useSnippets(rows);
  return (
    <section aria-label="Recent" className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>Recent</h2>
        <ButtonLink kind="quiet" href={listPath(undefined)} className={styles.push}>
          See all
        </ButtonLink>
      </div>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <ThreadItem
              row={row}
              snippet={snippetOf(row)}
              unreadCount={unread.get(row.id) ?? 0}
              needsYou={urgent.has(row.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
