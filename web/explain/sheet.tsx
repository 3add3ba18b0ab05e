import { type MouseEvent, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Person } from '../ui/person.tsx';
import { RefusalMessage } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { AccountSteps, Cause } from './account.tsx';
import { type ExplainTarget, explainTarget as explainTargetStore, openExplain } from './target.ts';
import { useAccount } from './use-account.ts';

interface ExplainSheetProps {
  readonly target: ExplainTarget;
  onClose(): void;
}

/** A short account of where a text came from. */
export function ExplainSheet({ target, onClose }: ExplainSheetProps) {
  const { account, offset, problem } = useAccount(target);
  const [history, setHistory] = useState<readonly ExplainTarget[]>([]);

  function explain(link: string, at?: number): void {
    setHistory([...history, target]);
    openExplain(link, at);
  }

  function goBack(): void {
    explainTargetStore.set(history.at(-1));
    setHistory(history.slice(0, -1));
  }

  /** Following a link closes the sheet. */
  function onClick(event: MouseEvent): void {
    if ((event.target as Element).closest('a[data-in-page]')) onClose();
  }

  return (
    <Sheet label="Where it came from" onClose={onClose}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are followed by keys as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div className="account" aria-busy={!account && !problem} onClick={onClick}>
        {account && (
          <>
            <h1>
              {escapeBidi(account.what)} <span className="soft">in {escapeBidi(account.thread.title)}</span>
            </h1>
            <AccountText account={account} onPart={(from) => explain(account.link, from)} />
            <AuthorLine account={account} />
            <AccountSteps account={account} />
            <Cause key={`${account.link} ${offset}`} account={account} offset={offset} onPiece={explain} />
          </>
        )}
        <RefusalMessage reason={problem} />
        <p className="sheet-foot">
          {history.length > 0 && <ActionButton onClick={goBack}>Back</ActionButton>}
          <ActionButton onClick={onClose}>Close</ActionButton>
        </p>
      </div>
    </Sheet>
  );
}

const MAX_CHARS = 1200;

/** The text. If it has several authors, each part names its author and links to its own cause. */
function AccountText({ account, onPart }: { readonly account: WireAccount; onPart(from: number): void }) {
  const { text, parts, at } = account;
  const start = at ? Math.max(0, at.from - MAX_CHARS / 4) : 0;
  const end = Math.min(text.length, start + MAX_CHARS);
  const spans = (parts ?? [{ from: 0, to: text.length, author: account.author }])
    .map(({ from, to, author }) => ({ from: Math.max(from, start), to: Math.min(to, end), author }))
    .filter(({ from, to }) => from < to);
  return (
    <blockquote className="account-text" dir="auto">
      {start > 0 && '… '}
      {parts
        ? spans.map(({ from, to, author }) => (
            <button
              key={from}
              type="button"
              className="account-part"
              aria-current={at !== undefined && at.from <= from && from < at.to}
              title={author.id}
              aria-label={`${author.id}: ${escapeBidi(text.slice(from, to))}`}
              onClick={() => onPart(from)}
            >
              {escapeBidi(text.slice(from, to))}
            </button>
          ))
        : at
          ? [
              escapeBidi(text.slice(start, at.from)),
              <mark key="at">{escapeBidi(text.slice(at.from, Math.min(at.to, end)))}</mark>,
              escapeBidi(text.slice(at.to, end)),
            ]
          : escapeBidi(text.slice(start, end))}
      {end < text.length && ' …'}
    </blockquote>
  );
}

const AUTHOR_KINDS: Readonly<Record<WireAccount['author']['kind'], string>> = {
  human: 'a person',
  agent: 'an agent',
  automation: 'a part of the workspace',
  model: 'a model',
  imported: 'from an import',
  unknown: 'not known',
};

function AuthorLine({ account: { author } }: { readonly account: WireAccount }) {
  const { id, kind, model, small } = author;
  return (
    <p>
      {id !== '' && (
        <>
          By <Person id={id} />,{' '}
        </>
      )}
      <span className="soft">
        {AUTHOR_KINDS[kind]}
        {model !== undefined && `, model ${escapeBidi(model)}${small ? ' (small)' : ''}`}
      </span>
    </p>
  );
}
