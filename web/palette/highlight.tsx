import { splitWords } from './match.ts';

/** A name with the typed words marked where they begin a word, or else anywhere. */
export function Highlighted({ text, query }: { readonly text: string; readonly query: string }) {
  return markMatches(text, query).map(({ part, isMatch }, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
    isMatch ? <mark key={i}>{part}</mark> : part,
  );
}

interface MarkedPart {
  readonly part: string;
  readonly isMatch: boolean;
}

export function markMatches(text: string, query: string): readonly MarkedPart[] {
  const folded = text.toLowerCase();
  const words = folded.length === text.length ? splitWords(query) : []; // Else places would not be the same.
  const isMarked = new Uint8Array(text.length);
  for (const word of words) {
    const places = findAll(folded, word);
    const beginnings = places.filter((place) => !/[\p{L}\p{N}]/u.test(folded.charAt(place - 1)));
    for (const place of beginnings.length > 0 ? beginnings : places) isMarked.fill(1, place, place + word.length);
  }
  const parts: MarkedPart[] = [];
  for (let from = 0, to = 1; from < text.length; from = to, to++) {
    while (to < text.length && isMarked[to] === isMarked[from]) to++;
    parts.push({ part: text.slice(from, to), isMatch: isMarked[from] === 1 });
  }
  return parts;
}

function findAll(text: string, word: string): readonly number[] {
  const places: number[] = [];
  for (let place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + word.length)) places.push(place);
  return places;
}
