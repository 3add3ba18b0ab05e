import { X } from 'lucide-react';
import type { AwayDigest } from '../../../../src/client/index.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/status/card.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import styles from './drafts.module.css';
import { Sentences } from './sentences.tsx';

interface AwaySummaryProps {
  readonly away: AwayDigest;
  onRead(index: number): void;
  onAccept(index: number): void;
  onDismiss(): void;
}

const MAX_FAMILIES = 6;
const MAX_CHARS = 2000;

/** The choices for a returning person: families of drafts and the best of each, instead of every draft (D16). */
export function AwaySummary({ away, onRead, onAccept, onDismiss }: AwaySummaryProps) {
  return (
    <Card role="region" aria-label="While you were away" className={styles.away}>
      <header className={styles.awayHead}>
        <div>
          <h2>While you were away</h2>
          <p className={styles.summary}>{summarize(away)}</p>
        </div>
        <IconButton icon={X} label="Dismiss" onClick={onDismiss} />
      </header>
      <ol>
        {away.families.slice(0, MAX_FAMILIES).map(({ best, text, drafts, difference }) => (
          <li key={best}>
            <p className={styles.facts}>
              <b>Draft {best}</b>
              {drafts.length > 1 && ` · best of ${drafts.length} alike`}
              {difference && ` · compared with draft ${away.last_seen}`}
            </p>
            <div className={styles.text}>
              {difference && text.length < MAX_CHARS ? (
                <DiffText hunks={difference} />
              ) : (
                <Sentences text={text.length < MAX_CHARS ? text : firstLine(text, 400)} highlight={undefined} />
              )}
            </div>
            <p className={styles.actions}>
              <Button onClick={() => onAccept(best)}>Accept draft {best}</Button>
              <Button kind="quiet" onClick={() => onRead(best)}>
                Show draft {best}
              </Button>
            </p>
          </li>
        ))}
      </ol>
      {away.families.length > MAX_FAMILIES && (
        <p className={styles.facts}>{away.families.length - MAX_FAMILIES} more are on the strip below.</p>
      )}
    </Card>
  );
}

/** Whether the summary adds anything to the sheets below: similar drafts, how they differ, or a large number. */
export function isWorthShowing({ families, unseen, last_seen }: AwayDigest): boolean {
  if (families.length === 0) return false;
  const hasMany = unseen > MAX_FAMILIES || families.some(({ drafts }) => drafts.length > 1);
  return last_seen === null ? hasMany : unseen > 1;
}

function summarize({ iterations, families, endorsements, words, older }: AwayDigest): string {
  const parts = [
    formatCount(iterations, 'iteration'),
    formatCount(families.length, 'different answer'),
    endorsements > 0 && `endorsed ${endorsements === 1 ? 'once' : `${endorsements} times`}`,
    words.length > 0 && `said ${words.slice(0, 5).join(', ')}`,
    older > 0 && `${formatCount(older, 'older draft')} not compared`,
  ];
  return parts.filter(Boolean).join(' · ');
}
