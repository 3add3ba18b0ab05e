import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../src/core/text/format-number.ts';
import { Button } from '../controls/button.tsx';
import { Markdown } from './markdown.tsx';

const FOLD_LENGTH = 4000;
const FOLDED_LENGTH = 1200;

/** A very long message starts folded, so that the next one is not a minute of scrolling away. */
export function LongText({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const [isExpanded, setExpanded] = useState(isOpen);
  if (text.length <= FOLD_LENGTH || isExpanded) return <Markdown text={text} />;
  const end = characterStart(text, Math.max(text.lastIndexOf('\n\n', FOLDED_LENGTH), FOLDED_LENGTH / 2));
  const words = text.split(/\s+/).length;
  const hasWords = words > text.length / 100;
  return (
    <>
      <Markdown text={`${text.slice(0, end).trimEnd()} …`} />
      <Button icon={ChevronDown} onClick={() => setExpanded(true)}>
        Show all {formatNumber(hasWords ? words : text.length)} {hasWords ? 'words' : 'characters'}
      </Button>
    </>
  );
}

/** The start of the character that contains this offset. */
function characterStart(text: string, at: number): number {
  return new Intl.Segmenter().segment(text).containing(at)?.index ?? at;
}
