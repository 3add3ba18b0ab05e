import { Archive, Plus, SearchX, Tag as TagIcon } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { pinnedThreads } from '../data/pins.ts';
import { useSnippets } from '../data/snippets.ts';
import { useStore } from '../data/store.ts';
import { kindCounts, needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { ThreadMenu } from '../rooms/thread-menu.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { LinkTabs } from '../ui/controls/link-tabs.tsx';
import { PlainInput } from '../ui/controls/plain-field.tsx';
import { iconOfKind } from '../ui/kind-icon.tsx';
import { kindName, kindWithArticle, kindWords, listedKinds, listPath } from '../ui/kinds.ts';
import { EmptyState } from '../ui/status/empty-state.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './column.module.css';
import { filterRows, type ListFilter, splitPinned, tagsOf } from './filter-rows.ts';
import itemStyles from './thread-item.module.css';
import { ThreadItem } from './thread-item.tsx';

/** Rows are added as the end of the list comes into view. */
const PAGE_SIZE = 60;
const MAX_TAGS = 6;

interface ListPageProps {
  /** All kinds without one. */
  readonly kind: string | undefined;
  onNew(kind: string | undefined): void;
}

/** All threads, or those of one kind: the most recently active first. */
export function ListPage({ kind, onNew }: ListPageProps) {
  const threads = useStore(threadRows);
  const counts = useStore(kindCounts);
  const unread = useStore(unreadCounts);
  const openNeeds = useStore(needs);
  const urgent = useMemo(
    () => new Set(openNeeds.flatMap(({ row, quiet }) => (row && !quiet ? row.id : []))),
    [openNeeds],
  );
  const [filter, setFilter] = useState<ListFilter>({ words: '' });
  const [limit, setLimit] = useState(PAGE_SIZE);
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(
    () => filterRows(threads?.values() ?? [], { kind, ...filter }, { unread, urgent }),
    [threads, kind, filter, unread, urgent],
  );
  const pins = useStore(pinnedThreads);
  const { pinned, others } = useMemo(() => splitPinned(found, pins), [found, pins]);
  const shown = useMemo(() => [...pinned, ...others].slice(0, limit), [pinned, others, limit]);
  const snippetOf = useSnippets(useMemo(() => shown.map(({ row }) => row), [shown]));
  const tags = useMemo(() => tagsOf(threads?.values() ?? []).slice(0, MAX_TAGS), [threads]);
  const isFiltered =
    filter.words !== '' || filter.unread || filter.needsYou || filter.archived || filter.tag !== undefined;
  const change = (next: Partial<ListFilter>) => {
    setFilter((current) => ({ ...current, ...next }));
    setLimit(PAGE_SIZE);
  };
  useActions('This list', [{ name: 'Filter by title', keys: ['f'], act: () => field.current?.focus() }]);
  if (!threads) return <main aria-busy="true" />;
  const title = kind === undefined ? 'All threads' : kindWords(kind).many;
  const unreadCount = [...unread.keys()].filter((id) => isOfKind(threads.get(id)?.kind, kind)).length;
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <h1>{title}</h1>
          <Button kind="primary" icon={Plus} shortcut="n" onClick={() => onNew(kind)}>
            New {kind === undefined ? '' : kindName(kind)}
          </Button>
        </header>
        <LinkTabs
          label="Kinds"
          tabs={[
            { href: listPath(undefined), label: 'All', count: sum(counts.values()), isCurrent: kind === undefined },
            ...listedKinds(counts.keys()).map((each) => ({
              href: listPath(each),
              label: kindWords(each).many,
              count: counts.get(each) ?? 0,
              isCurrent: each === kind,
            })),
          ]}
        />
        <div className={styles.filters}>
          <PlainInput
            ref={field}
            type="search"
            aria-label="Filter by title"
            placeholder="Filter by title"
            value={filter.words}
            onChange={(event) => change({ words: event.target.value })}
          />
          <Button aria-pressed={filter.unread ?? false} onClick={() => change({ unread: !filter.unread })}>
            Unread {unreadCount > 0 && formatNumber(unreadCount)}
          </Button>
          <Button aria-pressed={filter.needsYou ?? false} onClick={() => change({ needsYou: !filter.needsYou })}>
            Needs you
          </Button>
          {tags.map((tag) => (
            <Button
              key={tag}
              icon={TagIcon}
              aria-pressed={filter.tag === tag}
              onClick={() => change({ tag: filter.tag === tag ? undefined : tag })}
            >
              {escapeBidi(tag)}
            </Button>
          ))}
          <Button
            kind="quiet"
            icon={Archive}
            className={styles.push}
            aria-pressed={filter.archived ?? false}
            onClick={() => change({ archived: !filter.archived })}
          >
            Archived
          </Button>
        </div>
        {found.length === 0 && isFiltered && (
          <EmptyState
            icon={SearchX}
            title="Nothing matches"
            text="No thread fits these filters."
            actions={<Button onClick={() => setFilter({ words: '' })}>Clear the filters</Button>}
          />
        )}
        {found.length === 0 && !isFiltered && (
          <EmptyState
            icon={iconOfKind(kind ?? 'conversation')}
            title={`No ${title.toLowerCase()} yet`}
            text={`${capitalize(kindWithArticle(kind ?? 'conversation'))}: ${kindWords(kind ?? 'conversation').is}.`}
          />
        )}
        <ul aria-label={title}>
          {shown.map(({ row, depth }, at) => (
            <Fragment key={row.id}>
              {pinned.length > 0 && (at === 0 || at === pinned.length) && (
                <li className={itemStyles.group}>
                  <h2>{at === 0 ? 'Pinned' : 'Latest'}</h2>
                </li>
              )}
              <li className={itemStyles.row}>
                <ThreadItem
                  row={row}
                  snippet={snippetOf(row)}
                  unreadCount={unread.get(row.id) ?? 0}
                  needsYou={urgent.has(row.id)}
                  isSide={depth > 0}
                />
                <span className={itemStyles.menu}>
                  <ThreadMenu row={row} />
                </span>
              </li>
            </Fragment>
          ))}
        </ul>
        {shown.length < found.length && <MoreRows onSeen={() => setLimit((current) => current + PAGE_SIZE)} />}
      </div>
    </main>
  );
}

/** The end of what is listed: more is added when it comes near, or by its button. */
function MoreRows({ onSeen }: { onSeen(): void }) {
  const end = useRef<HTMLDivElement>(null);
  const onEnd = useRef(onSeen);
  onEnd.current = onSeen;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onEnd.current(), {
      rootMargin: '600px',
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end}>
      <Button kind="quiet" onClick={onSeen}>
        Show more
      </Button>
    </div>
  );
}

function isOfKind(kind: string | undefined, wanted: string | undefined): boolean {
  return kind !== undefined && (wanted === undefined || kind === wanted);
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, each) => total + each, 0);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
