import { type MouseEvent, useState } from 'react';
import type { Explained } from '../../src/client/index.ts';
import { Person } from '../ui/person.tsx';
import { Refused } from '../ui/request.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { visible } from '../ui/text/visible.ts';
import { Cause, Steps } from './account.tsx';
import { type Asked, asked as asking, openExplain } from './target.ts';
import { useAccount } from './use-account.ts';

interface ExplainSheetProps {
  readonly asked: Asked;
  onClose(): void;
}

/** From a text to its cause, as a short account to be read. */
export function ExplainSheet({ asked, onClose }: ExplainSheetProps) {
  const { account, offset, problem } = useAccount(asked);
  const [before, setBefore] = useState<readonly Asked[]>([]);

  function explain(link: string, at?: number): void {
    setBefore([...before, asked]);
    openExplain(link, at);
  }

  function back(): void {
    asking.set(before.at(-1));
    setBefore(before.slice(0, -1));
  }

  /** A link leads away from here. */
  function clicked(event: MouseEvent): void {
    if ((event.target as Element).closest('a[data-in-page]')) onClose();
  }

  return (
    <Sheet label="Where it came from" onClose={onClose}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are followed by keys as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div className="account" aria-busy={!account && !problem} onClick={clicked}>
        {account && (
          <>
            <h1>
              {visible(account.what)} <span className="soft">in {visible(account.thread.title)}</span>
            </h1>
            <Words account={account} onPart={(from) => explain(account.link, from)} />
            <By account={account} />
            <Steps account={account} />
            <Cause key={`${account.link} ${offset}`} account={account} offset={offset} onPiece={explain} />
          </>
        )}
        <Refused because={problem} />
        <p className="sheet-foot">
          {before.length > 0 && (
            <button type="button" className="act" onClick={back}>
              Back
            </button>
          )}
          <button type="button" className="act" onClick={onClose}>
            Close
          </button>
        </p>
      </div>
    </Sheet>
  );
}

const MOST = 1200;

/** The text; where several wrote it, each part says whose it is and leads to its own cause. */
function Words({ account, onPart }: { readonly account: Explained; onPart(from: number): void }) {
  const { text, parts, at } = account;
  const first = at ? Math.max(0, at.from - MOST / 4) : 0;
  const last = Math.min(text.length, first + MOST);
  const shown = (parts ?? [{ from: 0, to: text.length, author: account.author }])
    .map(({ from, to, author }) => ({ from: Math.max(from, first), to: Math.min(to, last), author }))
    .filter(({ from, to }) => from < to);
  return (
    <blockquote className="account-text" dir="auto">
      {first > 0 && '… '}
      {parts
        ? shown.map(({ from, to, author }) => (
            <button
              key={from}
              type="button"
              className="account-part"
              aria-current={at !== undefined && at.from <= from && from < at.to}
              title={author.id}
              aria-label={`${author.id}: ${visible(text.slice(from, to))}`}
              onClick={() => onPart(from)}
            >
              {visible(text.slice(from, to))}
            </button>
          ))
        : at
          ? [
              visible(text.slice(first, at.from)),
              <mark key="at">{visible(text.slice(at.from, Math.min(at.to, last)))}</mark>,
              visible(text.slice(at.to, last)),
            ]
          : visible(text.slice(first, last))}
      {last < text.length && ' …'}
    </blockquote>
  );
}

const KINDS: Readonly<Record<Explained['author']['kind'], string>> = {
  human: 'a person',
  agent: 'an agent',
  automation: 'a part of the workspace',
  model: 'a model',
  imported: 'from an import',
  unknown: 'not known',
};

function By({ account: { author } }: { readonly account: Explained }) {
  const { id, kind, model, small } = author;
  return (
    <p>
      {id !== '' && (
        <>
          By <Person id={id} />,{' '}
        </>
      )}
      <span className="soft">
        {KINDS[kind]}
        {model !== undefined && `, model ${visible(model)}${small ? ' (small)' : ''}`}
      </span>
    </p>
  );
}
