import { useMemo } from 'react';
import type { TermValues } from '../../../../src/client/index.ts';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { DiffText } from '../../../ui/text/diff.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { changedTerms } from './draft.ts';
import { formatTerm, SETTING_FIELDS, TERM_LABELS, TEXT_FIELDS, type TextTerm } from './labels.ts';
import styles from './terms.module.css';

/** The differences between two sets of terms: texts word by word, settings as before and after. */
export function TermsDifference({ before, after }: { readonly before: TermValues; readonly after: TermValues }) {
  const changedNames = useMemo(() => new Set(Object.keys(changedTerms(before, after))), [before, after]);
  if (changedNames.size === 0) return <p>Nothing is different.</p>;
  const texts = TEXT_FIELDS.filter((name) => changedNames.has(name));
  const settings = SETTING_FIELDS.filter((name) => changedNames.has(name));
  return (
    <div className={styles.difference}>
      {texts.map((name) => (
        <TextDifference key={name} name={name} before={before[name]} after={after[name]} />
      ))}
      {settings.length > 0 && (
        <dl className={styles.list}>
          {settings.map((name) => (
            <div key={name}>
              <dt>{TERM_LABELS[name]}</dt>
              <dd>
                <del>{escapeBidi(formatTerm(before, name))}</del> <ins>{escapeBidi(formatTerm(after, name))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

interface TextDifferenceProps {
  readonly name: TextTerm;
  readonly before: string;
  readonly after: string;
}

function TextDifference({ name, before, after }: TextDifferenceProps) {
  const hunks = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <section aria-label={`Changes of ${TERM_LABELS[name]}`}>
      <h3>{TERM_LABELS[name]}</h3>
      <DiffText hunks={hunks} />
    </section>
  );
}
