import { useState } from 'react';
import { numeral } from '../numeral.ts';
import { Markdown } from './markdown.tsx';

const LONG = 4000;
const SHORTENED = 1200;

/** A very long message begins folded: the one after it must not be a minute of scrolling away. */
export function Text({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= LONG || isWhole) return <Markdown text={text} />;
  const end = characterAt(text, Math.max(text.lastIndexOf('\n\n', SHORTENED), SHORTENED / 2));
  const words = text.split(/\s+/).length;
  const isText = words > text.length / 100;
  return (
    <>
      <Markdown text={`${text.slice(0, end).trimEnd()} …`} />
      <button type="button" className="act" onClick={() => setWhole(true)}>
        Show all {numeral(isText ? words : text.length)} {isText ? 'words' : 'characters'}
      </button>
    </>
  );
}

/** Where the character begins that this is in the middle of. */
function characterAt(text: string, at: number): number {
  return new Intl.Segmenter().segment(text).containing(at)?.index ?? at;
}
