import { type ReactNode, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { client } from '../data/session.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import './explain.css';

/** The steps of an account in chronological order, each with a link to its source. */
export function AccountSteps({ account: { steps, link } }: { readonly account: WireAccount }) {
  return (
    <ol className="account-steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
        <li key={index} dir="auto">
          {escapeBidi(step.what)}{' '}
          {step.ts !== undefined && (
            <span className="soft">
              <Time ts={step.ts} />
            </span>
          )}{' '}
          {step.link !== undefined && step.link !== link && <PlaceLink link={step.link} />}
        </li>
      ))}
    </ol>
  );
}

function PlaceLink({ link }: { readonly link: string }) {
  return (
    <a href={link} data-in-page title={link}>
      there
    </a>
  );
}

interface CauseProps {
  readonly account: WireAccount;
  /** The character that was explained; needed to request the whole prompt. */
  readonly offset?: number | undefined;
  /** The prompt is already shown elsewhere. */
  readonly isPromptElsewhere?: boolean;
  /** Explains a piece of the prompt. */
  readonly onPiece?: ((link: string) => void) | undefined;
}

/** The call, its prompt, the terms and the proof. */
export function Cause({ account, offset, isPromptElsewhere = false, onPiece }: CauseProps) {
  const { call, shown, terms, proof } = account;
  return (
    <>
      {call && (
        <section aria-label="The call">
          <p dir="auto">{escapeBidi(call.what)}</p>
          <p className="soft exact">{formatCallFigures(call)}</p>
          {call.raw && (
            <p className="soft exact">
              raw response <Hash hash={call.raw.hash} />
            </p>
          )}
        </section>
      )}
      {shown && (
        <ShownPrompt
          account={account}
          shown={shown}
          offset={offset}
          isPromptElsewhere={isPromptElsewhere}
          onPiece={onPiece}
        />
      )}
      {terms && (
        <section aria-label="Terms">
          <p dir="auto">
            {escapeBidi(terms.what)} {terms.link !== undefined && <PlaceLink link={terms.link} />}
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

function ShownPrompt({
  account,
  shown,
  offset,
  isPromptElsewhere,
  onPiece,
}: CauseProps & { readonly shown: NonNullable<WireAccount['shown']> }) {
  const [fullAccount, setFullAccount] = useState<WireAccount>();
  const { attempt, refusal } = useAttempt();

  async function loadFullAccount(isOpen: boolean): Promise<void> {
    if (!isOpen || fullAccount || shown.chars === undefined) return;
    const loaded = await attempt(() =>
      client.explain(account.link, { whole: 'yes', ...(offset !== undefined && { offset }) }),
    );
    if (loaded) setFullAccount(loaded);
  }

  return (
    <section aria-label="What was shown">
      {!isPromptElsewhere && <p dir="auto">{escapeBidi(shown.what)}</p>}
      {(shown.pieces.length > 0 || shown.chars !== undefined) && (
        <details onToggle={(event) => void loadFullAccount(event.currentTarget.open)}>
          <summary>
            What was shown
            {shown.chars !== undefined && (
              <span className="soft"> all {formatNumber(shown.chars)} characters of it</span>
            )}
          </summary>
          {!isPromptElsewhere && shown.pieces.length > 0 && (
            <ul className="account-pieces" aria-label="What it was made of">
              {shown.pieces.map(({ what, link }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
                <li key={index} dir="auto">
                  {onPiece && link !== undefined ? (
                    <button type="button" className="link" onClick={() => onPiece(link)}>
                      {escapeBidi(what)}
                    </button>
                  ) : (
                    escapeBidi(what)
                  )}{' '}
                  {link !== undefined && <PlaceLink link={link} />}
                </li>
              ))}
            </ul>
          )}
          <RefusalMessage reason={refusal} />
          {fullAccount?.shown?.messages?.map(({ role, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
            <FullText key={index} name={role} text={text} />
          ))}
          {fullAccount?.call?.response !== undefined && (
            <FullText name="the answer, as it came" text={fullAccount.call.response} />
          )}
        </details>
      )}
    </section>
  );
}

function FullText({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <p className="soft">{escapeBidi(name)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reached by keys */}
      <pre className="account-whole" dir="auto" tabIndex={0}>
        {escapeBidi(text)}
      </pre>
    </>
  );
}

function Proof({ proof }: { readonly proof: WireAccount['proof'] }) {
  return (
    <section aria-label="Proof" className={proof.holds ? 'account-proof' : 'account-proof broken'}>
      <p>{escapeBidi(proof.what)}</p>
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
              {escapeBidi(what)}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** The beginning of a hash; a click copies all of it. */
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

function formatCallFigures({ usage, cost, latency_ms, settings, at }: NonNullable<WireAccount['call']>): ReactNode {
  const figureTexts = [
    ...(usage ? [`${formatNumber(usage.prompt)} tokens read, ${formatNumber(usage.generated)} written`] : []),
    ...(cost ? [`cost ${cost}`] : []),
    ...(latency_ms === undefined ? [] : [`${(latency_ms / 1000).toFixed(1)} s`]),
    ...Object.entries(settings).map(([name, value]) => `${name} ${escapeBidi([value].flat().join(' '))}`),
  ];
  return (
    <>
      {at !== undefined && (
        <>
          <Time ts={at} />
          {figureTexts.length > 0 && '; '}
        </>
      )}
      {figureTexts.join('; ')}
    </>
  );
}
