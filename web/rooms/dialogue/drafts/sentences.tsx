import { memo, useMemo } from 'react';
import { visible } from '../../../ui/text/visible.ts';

/** A text sentence by sentence, letter for letter as it would be accepted: a touched one shows where it came from. */
export const Sentences = memo(function Sentences({
  text,
  lit,
  onTouch,
}: {
  readonly text: string;
  readonly lit: string | undefined;
  onTouch?: ((sentence: string) => void) | undefined;
}) {
  const sentences = useMemo(() => sentencesOf(text), [text]);
  return (
    <p className="passage" dir="auto">
      {sentences.map((sentence, at) => (
        // The keys ← and → do the same for whoever has no pointer.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a draft never changes
          key={at}
          className={onTouch && (lit !== undefined && sentence.trim() === lit ? 'sentence lit' : 'sentence')}
          onClick={onTouch && (() => getSelection()?.isCollapsed !== false && onTouch(sentence.trim()))}
        >
          {visible(sentence)}
        </span>
      ))}
    </p>
  );
});

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

export function sentencesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const LONG = 4000;
const SHORTENED = 1500;

/** The beginning of a very long text, up to the end of a word. */
export function beginning(text: string): string | undefined {
  if (text.length <= LONG) return undefined;
  const end = Math.max(text.lastIndexOf(' ', SHORTENED), text.lastIndexOf('\n', SHORTENED), SHORTENED / 2);
  return text.slice(0, end);
}
