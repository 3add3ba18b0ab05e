import { memo, useMemo } from 'react';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';

/** A text split into sentences, exactly as it would be accepted; a click on one shows its origin. */
export const Sentences = memo(function Sentences({
  text,
  highlight,
  onSelect,
}: {
  readonly text: string;
  readonly highlight: string | undefined;
  onSelect?: ((sentence: string) => void) | undefined;
}) {
  const sentences = useMemo(() => sentencesOf(text), [text]);
  return (
    <p className="passage" dir="auto">
      {sentences.map((sentence, at) => (
        // The keys ← and → do the same without a pointer.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a draft never changes
          key={at}
          className={
            onSelect && (highlight !== undefined && sentence.trim() === highlight ? 'sentence lit' : 'sentence')
          }
          onClick={onSelect && (() => getSelection()?.isCollapsed !== false && onSelect(sentence.trim()))}
        >
          {escapeBidi(sentence)}
        </span>
      ))}
    </p>
  );
});

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

export function sentencesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const MAX_LENGTH = 4000;
const EXCERPT_LENGTH = 1500;

/** The beginning of a very long text, cut at the end of a word. */
export function excerptOf(text: string): string | undefined {
  if (text.length <= MAX_LENGTH) return undefined;
  const end = Math.max(
    text.lastIndexOf(' ', EXCERPT_LENGTH),
    text.lastIndexOf('\n', EXCERPT_LENGTH),
    EXCERPT_LENGTH / 2,
  );
  return text.slice(0, end);
}
