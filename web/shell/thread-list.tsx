import type { ThreadRow } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { kindsOf } from '../ui/kinds.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import { threadPath } from './address.ts';

/** The total number of rows, shared among the kinds. */
const MAX_ROWS = 40;
const MAX_NEEDS = 8;

/**
 * The sidebar: what needs the person, then the most recently active threads by kind, side channels
 * under their parent.
 */
export function ThreadList({ openId, onFind }: { readonly openId: string | undefined; onFind(kind: string): void }) {
  const threads = useStore(threadRows);
  const openNeeds = useStore(needs);
  const unread = useStore(unreadCounts);
  if (!threads) return null;
  const ordered = sortThreads([...threads.values()], openId);
  const kindsWithRows = kindsOf(threads.values())
    .map((each) => ({ ...each, rows: ordered.filter(({ row }) => row.kind === each.kind) }))
    .filter(({ rows }) => rows.length > 0);
  const maxPerKind = Math.floor(MAX_ROWS / Math.max(1, kindsWithRows.length));
  return (
    <>
      {openNeeds.length > 0 && (
        <section aria-label="Needs you">
          <h2>Needs you</h2>
          <ul>
            {openNeeds.slice(0, MAX_NEEDS).map(({ key, row, words, link, quiet }) => (
              <li key={key}>
                <a className={quiet ? 'needs-you quiet' : 'needs-you'} href={link} data-in-page>
                  {row && (
                    <span className="row-title" dir="auto">
                      {escapeBidi(row.title)}
                    </span>
                  )}
                  <span className="row-words">{escapeBidi(words)}</span>
                </a>
              </li>
            ))}
          </ul>
          {openNeeds.length > MAX_NEEDS && (
            <a className="act" href="/" data-in-page>
              {openNeeds.length - MAX_NEEDS} more
            </a>
          )}
        </section>
      )}
      {kindsWithRows.map(({ kind, many, rows: rowsOfKind }) => {
        const visibleRows = rowsOfKind.filter(({ row }, index) => index < maxPerKind || row.id === openId);
        return (
          <section key={kind} aria-label={many}>
            <h2>{many}</h2>
            <ul>
              {visibleRows.map(({ row, depth }) => (
                <li key={row.id}>
                  <ThreadLinkRow
                    row={row}
                    depth={depth}
                    isOpen={row.id === openId}
                    unreadCount={unread.get(row.id) ?? 0}
                  />
                </li>
              ))}
            </ul>
            {rowsOfKind.length > visibleRows.length && (
              <ActionButton onClick={() => onFind(kind)}>
                {formatNumber(rowsOfKind.length - visibleRows.length)} more: find one
              </ActionButton>
            )}
          </section>
        );
      })}
    </>
  );
}

interface ThreadLinkRowProps {
  readonly row: ThreadRow;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly unreadCount: number;
}

function ThreadLinkRow({ row, depth, isOpen, unreadCount }: ThreadLinkRowProps) {
  const status = row.done ? 'done' : row.paused ? 'paused' : row.imported?.waiting ? 'imported' : '';
  const classNames = ['row', depth > 0 && 'under', unreadCount > 0 && 'has-news', row.done && 'is-done']
    .filter(Boolean)
    .join(' ');
  return (
    <a className={classNames} href={threadPath(row)} data-in-page aria-current={isOpen ? 'page' : undefined}>
      <span className="row-title" dir="auto" title={escapeBidi(row.title)}>
        {escapeBidi(row.title)}
      </span>
      <span className="row-words">
        {unreadCount > 0 ? (
          <>
            {unreadCount > 99 ? '99+' : unreadCount}
            <span className="unseen"> new</span>
          </>
        ) : (
          status || <Time ts={row.last.ts} />
        )}
      </span>
    </a>
  );
}
