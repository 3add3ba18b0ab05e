import { type ReactNode, useState } from 'react';
import type { Explained } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { numeral } from '../ui/numeral.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { visible } from '../ui/text/visible.ts';
import { Time } from '../ui/time.tsx';
import './explain.css';

/** Sentences in the order of what happened, each with the way to where it stands. */
export function Steps({ account: { steps, link } }: { readonly account: Explained }) {
  return (
    <ol className="account-steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
        <li key={at} dir="auto">
          {visible(step.what)}{' '}
          {step.ts !== undefined && (
            <span className="soft">
              <Time ts={step.ts} />
            </span>
          )}{' '}
          {step.link !== undefined && step.link !== link && <There link={step.link} />}
        </li>
      ))}
    </ol>
  );
}

function There({ link }: { readonly link: string }) {
  return (
    <a href={link} data-in-page title={link}>
      there
    </a>
  );
}

interface RestProps {
  readonly account: Explained;
  /** Where it was asked, so that all that was shown can be asked for. */
  readonly offset?: number | undefined;
  /** What was shown is told beside it already. */
  readonly isShownTold?: boolean;
  /** To explain a piece of what was shown. */
  readonly onPiece?: ((link: string) => void) | undefined;
}

/** The call, what was shown to it, the terms and the proof. */
export function Cause({ account, offset, isShownTold = false, onPiece }: RestProps) {
  const { call, shown, terms, proof } = account;
  return (
    <>
      {call && (
        <section aria-label="The call">
          <p dir="auto">{visible(call.what)}</p>
          <p className="soft exact">{figures(call)}</p>
          {call.raw && (
            <p className="soft exact">
              raw response <Hash hash={call.raw.hash} />
            </p>
          )}
        </section>
      )}
      {shown && <Shown account={account} shown={shown} offset={offset} isShownTold={isShownTold} onPiece={onPiece} />}
      {terms && (
        <section aria-label="Terms">
          <p dir="auto">
            {visible(terms.what)} {terms.link !== undefined && <There link={terms.link} />}
          </p>
          {terms.hash !== undefined && (
            <p className="soft exact">
              hash <Hash hash={terms.hash} />
            </p>
          )}
        </section>
      )}
      <Proof proof={proof} />
    </>
  );
}

function Shown({
  account,
  shown,
  offset,
  isShownTold,
  onPiece,
}: RestProps & { readonly shown: NonNullable<Explained['shown']> }) {
  const [whole, setWhole] = useState<Explained>();
  const { wish, refusal } = useWish();

  async function opened(isOpen: boolean): Promise<void> {
    if (!isOpen || whole || shown.chars === undefined) return;
    const found = await wish(() =>
      client.explain(account.link, { whole: 'yes', ...(offset !== undefined && { offset }) }),
    );
    if (found) setWhole(found);
  }

  return (
    <section aria-label="What was shown">
      {!isShownTold && <p dir="auto">{visible(shown.what)}</p>}
      {(shown.pieces.length > 0 || shown.chars !== undefined) && (
        <details onToggle={(event) => void opened(event.currentTarget.open)}>
          <summary>
            What was shown
            {shown.chars !== undefined && <span className="soft"> all {numeral(shown.chars)} characters of it</span>}
          </summary>
          {!isShownTold && shown.pieces.length > 0 && (
            <ul className="account-pieces" aria-label="What it was made of">
              {shown.pieces.map(({ what, link }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
                <li key={at} dir="auto">
                  {onPiece && link !== undefined ? (
                    <button type="button" className="link" onClick={() => onPiece(link)}>
                      {visible(what)}
                    </button>
                  ) : (
                    visible(what)
                  )}{' '}
                  {link !== undefined && <There link={link} />}
                </li>
              ))}
            </ul>
          )}
          <Refused because={refusal} />
          {whole?.shown?.messages?.map(({ role, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
            <Whole key={at} name={role} text={text} />
          ))}
          {whole?.call?.response !== undefined && <Whole name="the answer, as it came" text={whole.call.response} />}
        </details>
      )}
    </section>
  );
}

function Whole({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <p className="soft">{visible(name)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reached by keys */}
      <pre className="account-whole" dir="auto" tabIndex={0}>
        {visible(text)}
      </pre>
    </>
  );
}

function Proof({ proof }: { readonly proof: Explained['proof'] }) {
  return (
    <section aria-label="Proof" className={proof.holds ? 'account-proof' : 'account-proof broken'}>
      <p>{visible(proof.what)}</p>
      <p className="soft exact">
        event {proof.seq}, hash <Hash hash={proof.hash} />
      </p>
      <details>
        <summary>The proof in full</summary>
        <ul className="exact">
          <li>
            event <code>{proof.event}</code>
          </li>
          <li>
            behind <Hash hash={proof.previous} />
          </li>
          {proof.rests.map(({ what, seq, hash }) => (
            <li key={hash}>
              rests on {what}: event {seq}, <Hash hash={hash} />
            </li>
          ))}
          {proof.checks.map(({ what, holds }) => (
            <li key={what} className={holds ? undefined : 'warned'}>
              {holds ? '' : 'Not true: '}
              {visible(what)}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** The beginning of a hash; all of it is copied by a touch. */
function Hash({ hash }: { readonly hash: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(hash).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <button type="button" className="hash" title={`${hash} — copy`} onClick={() => void copy()}>
      <code>{hash.slice(0, 12)}</code>
      <span className="soft" aria-live="polite">
        {isCopied ? ' copied' : ''}
      </span>
    </button>
  );
}

function figures({ usage, cost, latency_ms, settings, at }: NonNullable<Explained['call']>): ReactNode {
  const told = [
    ...(usage ? [`${numeral(usage.prompt)} tokens read, ${numeral(usage.generated)} written`] : []),
    ...(cost ? [`cost ${cost}`] : []),
    ...(latency_ms === undefined ? [] : [`${(latency_ms / 1000).toFixed(1)} s`]),
    ...Object.entries(settings).map(([name, value]) => `${name} ${visible([value].flat().join(' '))}`),
  ];
  return (
    <>
      {at !== undefined && (
        <>
          <Time ts={at} />
          {told.length > 0 && '; '}
        </>
      )}
      {told.join('; ')}
    </>
  );
}
