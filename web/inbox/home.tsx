import { useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { inOrder } from '../data/thread-order.ts';
import { needs, news, rows } from '../data/workspace.ts';
import { pathTo } from '../shell/address.ts';
import { ListButton } from '../shell/frame.tsx';
import { KINDS, type Kind, withArticle } from '../ui/kinds.ts';
import { numeral } from '../ui/numeral.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { visible } from '../ui/text/visible.ts';
import { Time } from '../ui/time.tsx';
import type { Need } from './needs.ts';
import { start } from './start-thread.ts';

const NEEDED = 12;
const RECENT = 5;

interface HomeProps {
  /** Finds any of them. */
  onFind(of: Kind): void;
  /** Fills an empty workspace with a sample, where there is one. */
  readonly showSample?: (() => void) | undefined;
}

/** What needs the person, what was last worked on, and how to start something. */
export function Home({ onFind, showSample }: HomeProps) {
  const all = useStore(rows);
  const needed = useStore(needs);
  if (!all) return <main className="plain home" aria-busy="true" />;
  if (all.size === 0) {
    return (
      <main className="plain home empty-home">
        <ListButton />
        <p className="lead">A place where people and language models work on one text, and nothing said is lost.</p>
        <Starts />
        {showSample && (
          <p>
            <button type="button" className="link" onClick={showSample}>
              Show me with a sample
            </button>
          </p>
        )}
      </main>
    );
  }
  return (
    <main className="plain home">
      <ListButton />
      <h1 className="unseen">Home</h1>
      <section aria-label="Needs you">
        <h2>Needs you</h2>
        {needed.length === 0 ? <p className="soft">Nothing now.</p> : <Needs needed={needed} />}
      </section>
      <Recent all={[...all.values()]} onFind={onFind} />
      <section aria-label="Start something">
        <h2>Start something</h2>
        <Starts />
      </section>
    </main>
  );
}

function Needs({ needed }: { readonly needed: readonly Need[] }) {
  const [isAll, setAll] = useState(false);
  return (
    <ul>
      {needed.slice(0, isAll ? needed.length : NEEDED).map(({ key, row, words, link, ts, quiet }) => (
        <li key={key}>
          <a href={link} data-in-page className={quiet ? 'need quiet' : 'need'}>
            <span className="need-words" dir="auto">
              {visible(words)}
            </span>
            {row && (
              <span className="soft need-title" dir="auto">
                {visible(row.title)}
              </span>
            )}
            {ts && (
              <span className="row-words">
                <Time ts={ts} />
              </span>
            )}
          </a>
        </li>
      ))}
      {!isAll && needed.length > NEEDED && (
        <li>
          <button type="button" className="act" onClick={() => setAll(true)}>
            {numeral(needed.length - NEEDED)} more
          </button>
        </li>
      )}
    </ul>
  );
}

/** A few of each kind, the most recently active first. */
function Recent({ all, onFind }: { readonly all: readonly ThreadRow[]; onFind(of: Kind): void }) {
  const fresh = useStore(news);
  const ordered = inOrder(all).filter(({ depth }) => depth === 0);
  return (
    <div className="recent">
      {KINDS.map(({ kind, many }) => {
        const own = ordered.filter(({ row }) => row.kind === kind);
        if (own.length === 0) return null;
        return (
          <section key={kind} aria-label={`Recent ${many.toLowerCase()}`}>
            <h2>
              {many}
              {own.length > RECENT && (
                <button type="button" className="act" onClick={() => onFind(kind)}>
                  all {numeral(own.length)}
                </button>
              )}
            </h2>
            <ul>
              {own.slice(0, RECENT).map(({ row }) => (
                <li key={row.id}>
                  <a className={fresh.has(row.id) ? 'row has-news' : 'row'} href={pathTo(row)} data-in-page>
                    <span className="row-title" dir="auto" title={visible(row.title)}>
                      {visible(row.title)}
                    </span>
                    <span className="row-words">
                      {row.working ? (
                        'at work'
                      ) : row.paused ? (
                        'paused'
                      ) : row.imported?.waiting ? (
                        'imported, waiting'
                      ) : (
                        <Time ts={row.last.ts} />
                      )}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** One line for each way of working: a touch, and one is in it. */
function Starts() {
  const { wish, busy, refusal } = useWish();
  const begin = (kind: Kind) => void wish(() => start(kind));
  return (
    <>
      <ul className="starts">
        {KINDS.map(({ kind, is }) => (
          <li key={kind}>
            <button type="button" className="link" disabled={busy} onClick={() => begin(kind)}>
              Begin {withArticle(kind)}
            </button>
            <span className="soft">: {is}</span>
          </li>
        ))}
      </ul>
      <Refused because={refusal} />
    </>
  );
}
