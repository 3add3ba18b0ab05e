import { Check, GitBranch } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { Glyph } from '../../ui/icon.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import styles from './author-popover.module.css';
import type { TokenChoice } from './session/node-views.ts';

interface AlternativesProps {
  readonly token: TokenChoice;
  /** Whether a branch begins with this token already. */
  isBranch(token: string): boolean;
  onBranch(token: string): void;
}

/** What a token could have been, how likely each was, and a branch from any of them (W17). */
export function Alternatives({ token, isBranch, onBranch }: AlternativesProps) {
  const all = rankedTokens(token);
  const [chosen, setChosen] = useState(token.token);
  const at = all.findIndex((each) => each.token === chosen);
  const rest = 1 - all.reduce((sum, { share }) => sum + share, 0);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = (at + step + all.length) % all.length;
      setChosen(all[next]!.token);
      event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
    } else if ((event.key === 'b' || event.key === 'Enter') && chosen !== token.token) onBranch(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the radio buttons in it
    <div onKeyDown={onKeyDown}>
      <div role="radiogroup" aria-label="Alternatives">
        {all.map((each) => (
          // biome-ignore lint/a11y/useSemanticElements: a line to press, with a bar behind it
          <button
            key={each.token}
            type="button"
            role="radio"
            aria-checked={each.token === chosen}
            tabIndex={each.token === chosen ? 0 : -1}
            className={styles.alternative}
            style={{ '--share': `${each.share * 100}%` } as React.CSSProperties}
            onClick={() => setChosen(each.token)}
          >
            <span dir="auto">{visibleToken(each.token)}</span>
            <span className={styles.percent}>{formatShare(each.share)}</span>
            <span className={styles.sign}>
              {each.token === token.token && <Glyph icon={Check} />}
              {each.token !== token.token && isBranch(each.token) && <Glyph icon={GitBranch} />}
            </span>
          </button>
        ))}
      </div>
      {rest > 0.005 && <p className={styles.rest}>Everything else: {formatShare(rest)}</p>}
      <div className={styles.foot}>
        <span className={styles.keys}>
          <Kbd keys="↑" /> <Kbd keys="↓" /> choose
        </span>
        <Button
          kind="primary"
          icon={GitBranch}
          shortcut="B"
          disabled={chosen === token.token}
          onClick={() => onBranch(chosen)}
        >
          {chosen !== token.token && isBranch(chosen) ? 'Go to this branch' : 'Branch here'}
        </Button>
      </div>
    </div>
  );
}

/** "Sage chose the 2nd most likely word" */
export function rankOf(token: TokenChoice): string {
  const rank = rankedTokens(token).findIndex((each) => each.token === token.token) + 1;
  return rank === 1 ? 'the most likely word' : `the ${ordinal(rank)} most likely word`;
}

function rankedTokens({ token, logprob, others }: TokenChoice) {
  const candidates = [
    { token, logprob: logprob ?? Number.NEGATIVE_INFINITY },
    ...others.filter((other) => other.token !== token),
  ];
  return candidates
    .map(({ token: each, logprob: value }) => ({ token: each, share: Math.exp(value) }))
    .sort((a, b) => b.share - a.share);
}

function ordinal(rank: number): string {
  const suffix = rank > 3 && rank < 21 ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th');
  return `${rank}${suffix}`;
}

function visibleToken(token: string): string {
  return escapeBidi(token.replaceAll('\n', '↵'));
}

function formatShare(share: number): string {
  const value = share * 100;
  return `${value >= 10 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(1) : '< 0.1'}%`;
}
