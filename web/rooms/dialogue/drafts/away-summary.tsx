import type { AwayDigest } from '../../../../src/client/index.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { Sentences } from './sentences.tsx';

interface AwaySummaryProps {
  readonly away: AwayDigest;
  onRead(index: number): void;
  onAccept(index: number): void;
  onDismiss(): void;
}

const MAX_FAMILIES = 6;

/** The choices for a returning person: families of drafts and the best of each, instead of every draft (D16). */
export function AwaySummary({ away, onRead, onAccept, onDismiss }: AwaySummaryProps) {
  return (
    <section className="away" aria-label="While you were away">
      <h2>While you were away</h2>
      <p className="away-sum">{summarize(away)}</p>
      <ol>
        {away.families.slice(0, MAX_FAMILIES).map(({ best, text, drafts, difference }) => (
          <li key={best}>
            <p className="facts">
              <b>#{best}</b>
              {drafts.length > 1 && <span>best of {drafts.length} alike</span>}
              {difference && <span>since #{away.last_seen}</span>}
            </p>
            <div>
              {difference && text.length < 2000 ? (
                <DiffText hunks={difference} />
              ) : (
                <Sentences text={text.length < 2000 ? text : firstLine(text, 400)} highlight={undefined} />
              )}
              <p className="draft-acts">
                <button type="button" className="act accept" onClick={() => onAccept(best)}>
                  Accept #{best}
                </button>
                <ActionButton onClick={() => onRead(best)}>To its sheet</ActionButton>
              </p>
            </div>
          </li>
        ))}
      </ol>
      <p className="draft-acts">
        {away.families.length > MAX_FAMILIES && (
          <span className="soft">{away.families.length - MAX_FAMILIES} more families are below.</span>
        )}
        <ActionButton onClick={onDismiss}>Put this away</ActionButton>
      </p>
    </section>
  );
}

/** Whether the summary adds anything to the sheets below: similar drafts, how they differ, or a large number. */
export function isWorthShowing({ families, unseen, last_seen }: AwayDigest): boolean {
  if (families.length === 0) return false;
  const hasMany = unseen > MAX_FAMILIES || families.some(({ drafts }) => drafts.length > 1);
  return last_seen === null ? hasMany : unseen > 1;
}

function summarize({ iterations, unseen, families, endorsements, words, older }: AwayDigest): string {
  const parts = [
    `${formatCount(iterations, 'iteration')}, ${formatCount(unseen, 'new entry', 'new entries')}`,
    `${formatCount(families.length, 'family', 'families')} of replies`,
    endorsements > 0 && `endorsed ${endorsements === 1 ? 'once' : `${endorsements} times`}`,
    words.length > 0 && `said ${words.slice(0, 5).join(', ')}`,
    older > 0 && `${older} older replies not compared`,
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}
