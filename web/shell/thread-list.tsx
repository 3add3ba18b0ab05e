import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { inOrder } from '../data/thread-order.ts';
import { needs, news, rows } from '../data/workspace.ts';
import { KINDS, type Kind } from '../ui/kinds.ts';
import { numeral } from '../ui/numeral.ts';
import { visible } from '../ui/text/visible.ts';
import { Time } from '../ui/time.tsx';
import { pathTo } from './address.ts';

/** So many rows in all, shared by the kinds there are. */
const SHOWN = 40;
const NEEDED = 8;

/** At the left: what needs the person, then the most recently active by kind, side channels under their parent. */
export function List({ open, onFind }: { readonly open: string | undefined; onFind(of: Kind): void }) {
  const all = useStore(rows);
  const needed = useStore(needs);
  const fresh = useStore(news);
  if (!all) return null;
  const ordered = inOrder([...all.values()], open);
  const kinds = KINDS.map((each) => ({ ...each, rows: ordered.filter(({ row }) => row.kind === each.kind) }));
  const present = kinds.filter(({ rows }) => rows.length > 0);
  const most = Math.floor(SHOWN / Math.max(1, present.length));
  return (
    <>
      {needed.length > 0 && (
        <section aria-label="Needs you">
          <h2>Needs you</h2>
          <ul>
            {needed.slice(0, NEEDED).map(({ key, row, words, link, quiet }) => (
              <li key={key}>
                <a className={quiet ? 'needs-you quiet' : 'needs-you'} href={link} data-in-page>
                  {row && (
                    <span className="row-title" dir="auto">
                      {visible(row.title)}
                    </span>
                  )}
                  <span className="row-words">{visible(words)}</span>
                </a>
              </li>
            ))}
          </ul>
          {needed.length > NEEDED && (
            <a className="act" href="/" data-in-page>
              {needed.length - NEEDED} more
            </a>
          )}
        </section>
      )}
      {present.map(({ kind, many, rows: own }) => {
        const shown = own.filter(({ row }, index) => index < most || row.id === open);
        return (
          <section key={kind} aria-label={many}>
            <h2>{many}</h2>
            <ul>
              {shown.map(({ row, depth }) => (
                <li key={row.id}>
                  <Row row={row} depth={depth} isOpen={row.id === open} news={fresh.get(row.id) ?? 0} />
                </li>
              ))}
            </ul>
            {own.length > shown.length && (
              <button type="button" className="act" onClick={() => onFind(kind)}>
                {numeral(own.length - shown.length)} more: find one
              </button>
            )}
          </section>
        );
      })}
    </>
  );
}

interface RowProps {
  readonly row: ThreadRow;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly news: number;
}

function Row({ row, depth, isOpen, news }: RowProps) {
  const state = row.done ? 'done' : row.paused ? 'paused' : row.imported?.waiting ? 'imported' : '';
  const names = ['row', depth > 0 && 'under', news > 0 && 'has-news', row.done && 'is-done'].filter(Boolean).join(' ');
  return (
    <a className={names} href={pathTo(row)} data-in-page aria-current={isOpen ? 'page' : undefined}>
      <span className="row-title" dir="auto" title={visible(row.title)}>
        {visible(row.title)}
      </span>
      <span className="row-words">
        {news > 0 ? (
          <>
            {news > 99 ? '99+' : news}
            <span className="unseen"> new</span>
          </>
        ) : (
          state || <Time ts={row.last.ts} />
        )}
      </span>
    </a>
  );
}
