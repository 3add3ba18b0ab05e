import { numeral } from '../../../ui/numeral.ts';
import { Difference } from '../../../ui/text/diff.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import type { Away } from '../queries.ts';
import { Sentences } from './sentences.tsx';

interface AwayProps {
  readonly away: Away;
  onRead(index: number): void;
  onAccept(index: number): void;
  onPutAway(): void;
}

const FAMILIES = 6;

/** What there is to choose from for whoever comes back: not draft by draft, but families and the best of each (D16). */
export function WhileAway({ away, onRead, onAccept, onPutAway }: AwayProps) {
  return (
    <section className="away" aria-label="While you were away">
      <h2>While you were away</h2>
      <p className="away-sum">{summary(away)}</p>
      <ol>
        {away.families.slice(0, FAMILIES).map(({ best, text, drafts, difference }) => (
          <li key={best}>
            <p className="facts">
              <b>#{best}</b>
              {drafts.length > 1 && <span>best of {drafts.length} alike</span>}
              {difference && <span>since #{away.last_seen}</span>}
            </p>
            <div>
              {difference && text.length < 2000 ? (
                <Difference hunks={difference} />
              ) : (
                <Sentences text={text.length < 2000 ? text : firstLine(text, 400)} lit={undefined} />
              )}
              <p className="draft-acts">
                <button type="button" className="act accept" onClick={() => onAccept(best)}>
                  Accept #{best}
                </button>
                <button type="button" className="act" onClick={() => onRead(best)}>
                  To its sheet
                </button>
              </p>
            </div>
          </li>
        ))}
      </ol>
      <p className="draft-acts">
        {away.families.length > FAMILIES && (
          <span className="soft">{away.families.length - FAMILIES} more families are below.</span>
        )}
        <button type="button" className="act" onClick={onPutAway}>
          Put this away
        </button>
      </p>
    </section>
  );
}

/** Worth telling only where it says more than the sheets below: what is alike, how it differs, or that there is much. */
export function isWorthTelling({ families, unseen, last_seen }: Away): boolean {
  if (families.length === 0) return false;
  const isMuch = unseen > FAMILIES || families.some(({ drafts }) => drafts.length > 1);
  return last_seen === null ? isMuch : unseen > 1;
}

function summary({ iterations, unseen, families, endorsements, words, older }: Away): string {
  const parts = [
    `${plural(iterations, 'iteration')}, ${plural(unseen, 'new entry', 'new entries')}`,
    `${plural(families.length, 'family', 'families')} of replies`,
    endorsements > 0 && `endorsed ${endorsements === 1 ? 'once' : `${endorsements} times`}`,
    words.length > 0 && `said ${words.slice(0, 5).join(', ')}`,
    older > 0 && `${older} older replies not compared`,
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${numeral(count)} ${count === 1 ? one : many}`;
}
