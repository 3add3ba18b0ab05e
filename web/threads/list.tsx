import type { ThreadRow } from '../../src/client/index.ts';
import { pathTo } from '../address.ts';
import { useStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { Time } from '../time.tsx';
import { attention, rows, wantingYou } from '../workspace.ts';
import { inOrder } from './order.ts';

const SHOWN = 60;

/** The threads: what needs the person first, then the most recently active, side channels under their parent. */
export function ThreadList({ open, onFind }: { readonly open: string | undefined; onFind(): void }) {
  const all = useStore(rows);
  const news = useStore(attention);
  if (!all) return null;
  const asked = [...news].flatMap(([id, { needsYou }]) =>
    needsYou && all.has(id) ? [{ row: all.get(id)!, needsYou }] : [],
  );
  const needed = [...wantingYou(all), ...asked];
  const ordered = inOrder([...all.values()], open);
  return (
    <>
      {needed.length > 0 && (
        <section>
          <h2>Needs you</h2>
          <ul>
            {needed.map(({ row, needsYou }) => (
              <li key={row.id}>
                <a className="needs-you" href={pathTo(row)} data-in-page>
                  <span className="row-title" dir="auto">
                    {visible(row.title)}
                  </span>
                  <span className="row-words">{needsYou}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {ordered.length > 0 && (
        <section>
          <h2>Threads</h2>
          <ul>
            {ordered.slice(0, SHOWN).map(({ row, depth }) => (
              <li key={row.id}>
                <Row row={row} depth={depth} isOpen={row.id === open} news={news.get(row.id)?.news ?? 0} />
              </li>
            ))}
          </ul>
          {ordered.length > SHOWN && (
            <button type="button" className="act" onClick={onFind}>
              {(ordered.length - SHOWN).toLocaleString('en')} more: find one
            </button>
          )}
        </section>
      )}
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
  const state = row.done ? 'done' : row.paused ? 'paused' : '';
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
