import { useEffect, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './account.module.css';
import { PlaceLink } from './fact.tsx';

interface PromptPiecesProps {
  readonly pieces: NonNullable<WireAccount['shown']>['pieces'];
  readonly onPiece: ((link: string) => void) | undefined;
}

/** What a prompt was made of, each with its own source. */
export function PromptPieces({ pieces, onPiece }: PromptPiecesProps) {
  if (pieces.length === 0) return null;
  return (
    <ul className={styles.pieces} aria-label="Parts of the prompt">
      {pieces.map(({ what, link }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
        <li key={index} dir="auto">
          {onPiece && link !== undefined ? (
            <button type="button" className={styles.piece} onClick={() => onPiece(link)}>
              {escapeBidi(what)}
            </button>
          ) : (
            escapeBidi(what)
          )}{' '}
          {link !== undefined && <PlaceLink link={link} />}
        </li>
      ))}
    </ul>
  );
}

/** The whole prompt and the answer, loaded when they are asked for. */
export function PromptTexts({ link, offset }: { readonly link: string; readonly offset: number | undefined }) {
  const [account, setAccount] = useState<WireAccount>();
  const { attempt, refusal } = useAttempt();
  useEffect(() => {
    let isCurrent = true;
    void attempt(() => client.explain(link, { whole: 'yes', ...(offset !== undefined && { offset }) })).then(
      (loaded) => isCurrent && loaded && setAccount(loaded),
    );
    return () => {
      isCurrent = false;
    };
  }, [attempt, link, offset]);
  return (
    <div aria-busy={!account && !refusal}>
      <RefusalMessage reason={refusal} />
      {account?.shown?.messages?.map(({ role, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
        <FullText key={index} name={role} text={text} />
      ))}
      {account?.call?.response !== undefined && <FullText name="answer" text={account.call.response} />}
    </div>
  );
}

function FullText({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <p className={styles.faint}>{escapeBidi(name)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reached by keys */}
      <pre className={styles.whole} dir="auto" tabIndex={0}>
        {escapeBidi(text)}
      </pre>
    </>
  );
}
