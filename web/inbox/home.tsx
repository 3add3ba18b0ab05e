import { useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { threadPath } from '../shell/address.ts';
import { ListButton } from '../shell/frame.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { KINDS, kindsOf, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import type { InboxNeed } from './needs.ts';
import { startThread } from './start-thread.ts';

const MAX_NEEDS = 12;
const MAX_RECENT = 5;

interface HomeProps {
  /** Opens the search for threads of this kind. */
  onFind(kind: string): void;
  /** Fills an empty workspace with a sample, where there is one. */
  readonly showSample?: (() => void) | undefined;
}

/** What needs the person, what was last worked on, and how to start something. */
export function Home({ onFind, showSample }: HomeProps) {
  const threads = useStore(threadRows);
  const openNeeds = useStore(needs);
  if (!threads) return <main className="plain home" aria-busy="true" />;
  if (threads.size === 0) {
    return (
      <main className="plain home empty-home">
        <ListButton />
        <p className="lead">A place where people and language models work on one text, and nothing said is lost.</p>
        <StartLinks />
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
        {openNeeds.length === 0 ? <p className="soft">Nothing now.</p> : <NeedList items={openNeeds} />}
      </section>
      <RecentThreads threads={[...threads.values()]} onFind={onFind} />
      <section aria-label="Start something">
        <h2>Start something</h2>
        <StartLinks />
      </section>
    </main>
  );
}

function NeedList({ items }: { readonly items: readonly InboxNeed[] }) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <ul>
      {items.slice(0, isExpanded ? items.length : MAX_NEEDS).map(({ key, row, words, link, ts, quiet }) => (
        <li key={key}>
          <a href={link} data-in-page className={quiet ? 'need quiet' : 'need'}>
            <span className="need-words" dir="auto">
              {escapeBidi(words)}
            </span>
            {row && (
              <span className="soft need-title" dir="auto">
                {escapeBidi(row.title)}
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
      {!isExpanded && items.length > MAX_NEEDS && (
        <li>
          <ActionButton onClick={() => setExpanded(true)}>{formatNumber(items.length - MAX_NEEDS)} more</ActionButton>
        </li>
      )}
    </ul>
  );
}

/** A few of each kind, the most recently active first. */
function RecentThreads({ threads, onFind }: { readonly threads: readonly ThreadRow[]; onFind(kind: string): void }) {
  const unread = useStore(unreadCounts);
  const ordered = sortThreads(threads).filter(({ depth }) => depth === 0);
  return (
    <div className="recent">
      {kindsOf(threads).map(({ kind, many }) => {
        const rowsOfKind = ordered.filter(({ row }) => row.kind === kind);
        if (rowsOfKind.length === 0) return null;
        return (
          <section key={kind} aria-label={`Recent ${many.toLowerCase()}`}>
            <h2>
              {many}
              {rowsOfKind.length > MAX_RECENT && (
                <ActionButton onClick={() => onFind(kind)}>all {formatNumber(rowsOfKind.length)}</ActionButton>
              )}
            </h2>
            <ul>
              {rowsOfKind.slice(0, MAX_RECENT).map(({ row }) => (
                <li key={row.id}>
                  <a className={unread.has(row.id) ? 'row has-news' : 'row'} href={threadPath(row)} data-in-page>
                    <span className="row-title" dir="auto" title={escapeBidi(row.title)}>
                      {escapeBidi(row.title)}
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

/** One link for each kind of thread: a click creates one and opens it. */
function StartLinks() {
  const { attempt, busy, refusal } = useAttempt();
  const startKind = (kind: ThreadKind) => void attempt(() => startThread(kind));
  return (
    <>
      <ul className="starts">
        {KINDS.map(({ kind, is: description }) => (
          <li key={kind}>
            <button type="button" className="link" disabled={busy} onClick={() => startKind(kind)}>
              Begin {kindWithArticle(kind)}
            </button>
            <span className="soft">: {description}</span>
          </li>
        ))}
      </ul>
      <RefusalMessage reason={refusal} />
    </>
  );
}
