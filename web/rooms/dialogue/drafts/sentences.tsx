import { memo, useCallback } from 'react';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import styles from './drafts.module.css';

interface SentencesProps {
  readonly text: string;
  readonly highlight: string | undefined;
  onSelect?: ((sentence: string) => void) | undefined;
}

/** A text split into sentences; a click on one shows its origin. */
export const Sentences = memo(function Sentences({ text, highlight, onSelect }: SentencesProps) {
  const renderText = useCallback(
    (part: string) =>
      sentencesOf(part).map((sentence, at) => (
        // The keys ← and → do the same without a pointer.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a draft never changes
          key={at}
          className={onSelect && styles.sentence}
          data-lit={(highlight !== undefined && sentence.trim() === highlight) || undefined}
          onClick={onSelect && (() => getSelection()?.isCollapsed !== false && onSelect(sentence.trim()))}
        >
          {escapeBidi(sentence)}
        </span>
      )),
    [highlight, onSelect],
  );
  return <Markdown text={text} renderText={renderText} />;
});

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

export function sentencesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const MAX_LENGTH = 60_000;
const EXCERPT_LENGTH = 20_000;

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
