import { useMemo } from 'react';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { Difference } from '../../../ui/text/diff.tsx';
import { visible } from '../../../ui/text/visible.ts';
import type { Terms } from '../queries.ts';
import { changesIn } from './draft.ts';
import { SETTINGS, TERM_WORDS, TEXTS, type TextTerm, termValue } from './labels.ts';

/** What is different between two sets of terms: texts word by word, settings as before and after. */
export function TermsDifference({ before, after }: { readonly before: Terms; readonly after: Terms }) {
  const changed = useMemo(() => new Set(Object.keys(changesIn(before, after))), [before, after]);
  if (changed.size === 0) return <p className="soft">Nothing is different.</p>;
  const texts = TEXTS.filter((name) => changed.has(name));
  const settings = SETTINGS.filter((name) => changed.has(name));
  return (
    <div className="terms-difference">
      {texts.map((name) => (
        <TextDifference key={name} name={name} before={before[name]} after={after[name]} />
      ))}
      {settings.length > 0 && (
        <dl className="term-list">
          {settings.map((name) => (
            <div key={name}>
              <dt>{TERM_WORDS[name]}</dt>
              <dd>
                <del>{visible(termValue(before, name))}</del> <ins>{visible(termValue(after, name))}</ins>
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
    <section aria-label={`Changes of the ${TERM_WORDS[name]}`}>
      <h3>{TERM_WORDS[name]}</h3>
      <Difference hunks={hunks} />
    </section>
  );
}
