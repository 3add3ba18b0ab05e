import { FileText, ShieldAlert, ShieldCheck } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { showMoney } from '../data/money.ts';
import { Glyph } from '../ui/icon.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import styles from './account.module.css';
import { Fact, Hash, PlaceLink } from './fact.tsx';
import { PromptPieces, PromptTexts } from './prompt.tsx';

interface CauseProps {
  readonly account: WireAccount;
  /** The character that was explained; needed to request the whole prompt. */
  readonly offset?: number | undefined;
  /** The prompt is already shown elsewhere. */
  readonly isPromptElsewhere?: boolean;
  /** Explains a piece of the prompt. */
  readonly onPiece?: ((link: string) => void) | undefined;
}

/** Which call, what it was shown, under which terms, what it cost; last the proof. */
export function Cause({ account, offset, isPromptElsewhere = false, onPiece }: CauseProps) {
  const { call, shown, terms, proof } = account;
  return (
    <div className={styles.facts}>
      {call && (
        <Fact name="Model call">
          <p dir="auto">{escapeBidi(call.what)}</p>
          <p className={styles.faint}>
            <CallFigures call={call} />
          </p>
          {call.raw && (
            <p className={styles.faint}>
              Raw response <Hash hash={call.raw.hash} />
            </p>
          )}
        </Fact>
      )}
      {shown && (
        <Fact name="Input">
          {!isPromptElsewhere && <p dir="auto">{escapeBidi(shown.what)}</p>}
          <ShownPrompt {...{ account, shown, offset, isPromptElsewhere, onPiece }} />
        </Fact>
      )}
      {terms && (
        <Fact name="Terms">
          <p dir="auto">
            {escapeBidi(terms.what)} {terms.link !== undefined && <PlaceLink link={terms.link} />}
          </p>
          {terms.hash !== undefined && (
            <p className={styles.faint}>
              Hash <Hash hash={terms.hash} />
            </p>
          )}
        </Fact>
      )}
      {call?.usage && (
        <Fact name="Cost">
          <p>
            {call.cost ? `${showMoney(call.cost)} · ` : ''}
            {call.usage.estimated && 'about '}
            {formatNumber(call.usage.prompt)} tokens in, {formatNumber(call.usage.generated)} out
          </p>
        </Fact>
      )}
      <Proof proof={proof} />
    </div>
  );
}

type ShownPromptProps = CauseProps & { readonly shown: NonNullable<WireAccount['shown']> };

/** The pieces of the prompt, and on request all of it. */
function ShownPrompt({ account, shown, offset, isPromptElsewhere, onPiece }: ShownPromptProps) {
  const [isOpen, setOpen] = useState(false);
  if (shown.pieces.length === 0 && shown.chars === undefined) return null;
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Glyph icon={FileText} />
        Show the exact prompt
        {shown.chars !== undefined && <span className={styles.faint}>{formatNumber(shown.chars)} characters</span>}
      </summary>
      {!isPromptElsewhere && <PromptPieces pieces={shown.pieces} onPiece={onPiece} />}
      {isOpen && shown.chars !== undefined && <PromptTexts link={account.link} offset={offset} />}
    </details>
  );
}

function Proof({ proof }: { readonly proof: WireAccount['proof'] }) {
  return (
    <Fact name="Proof">
      <p className={proof.holds ? styles.intact : styles.broken}>
        <Glyph icon={proof.holds ? ShieldCheck : ShieldAlert} />
        {proof.holds ? 'The record is intact.' : 'The record does not match its proof.'}
      </p>
      <p className={styles.faint}>{escapeBidi(proof.what)}</p>
      <details className={styles.details}>
        <summary>Show the hashes</summary>
        <ul className={styles.hashes}>
          <li>
            Event #{proof.seq} <code>{proof.event}</code>
          </li>
          <li>
            Its hash <Hash hash={proof.hash} />
          </li>
          <li>
            The hash before it <Hash hash={proof.previous} />
          </li>
          {proof.rests.map(({ what, seq, hash }) => (
            <li key={hash}>
              Rests on {what}: event #{seq}, <Hash hash={hash} />
            </li>
          ))}
          {proof.checks.map(({ what, holds }) => (
            <li key={what} className={holds ? undefined : styles.broken}>
              {holds ? '' : 'Not true: '}
              {escapeBidi(what)}
            </li>
          ))}
        </ul>
      </details>
    </Fact>
  );
}

function CallFigures({ call }: { readonly call: NonNullable<WireAccount['call']> }): ReactNode {
  const { latency_ms, settings, at } = call;
  const figures = [
    ...(at === undefined ? [] : [<Time key="at" ts={at} />]),
    ...(latency_ms === undefined ? [] : [`${(latency_ms / 1000).toFixed(1)} s`]),
    ...Object.entries(settings).map(([name, value]) => `${name} ${escapeBidi([value].flat().join(' '))}`),
  ];
  return figures.map((figure, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
    <Fragment key={index}>
      {index > 0 && ' · '}
      {figure}
    </Fragment>
  ));
}
