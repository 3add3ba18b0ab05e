/** A word in its searchable form, and its position in the original text. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Longer words are cut: nobody types them, and an index stores every distinct word. */
const MAX_WORD_LENGTH = 64;

/*
 * Scripts without spaces are split into characters and searched as consecutive characters: any part of a text can be
 * found, and no dictionary is needed.
 */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc`;
const SINGLE_UNIT = String.raw`[${UNSPACED}]\p{M}*|\p{Extended_Pictographic}`;
const WORD_PATTERN = new RegExp(String.raw`${SINGLE_UNIT}|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, 'gu');
const ASCII_WORD = /[A-Za-z0-9]+/g;
const ASCII = /^[\0-\x7f]*$/;
/** Accents, Hebrew points, Arabic vowels and the Arabic elongation stroke, all of which writers may leave out. */
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
const NON_WORD = /[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/gu;

export function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(ASCII.test(text) ? ASCII_WORD : WORD_PATTERN)) {
    const word = foldWord(match[0]);
    if (word !== '') words.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return words;
}

/** Only the words, in the form that an index stores. */
export function foldedWords(text: string): readonly string[] {
  if (!ASCII.test(text)) return wordsIn(text).map(({ word }) => word);
  const words = text.toLowerCase().match(ASCII_WORD) ?? [];
  return words.map((word) => (word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word));
}

/** Removes case, accents and variant forms of the same letter. */
function foldWord(piece: string): string {
  const bounded = piece.length <= MAX_WORD_LENGTH * 4 ? piece : piece.slice(0, MAX_WORD_LENGTH * 4);
  if (ASCII.test(bounded)) return bounded.toLowerCase().slice(0, MAX_WORD_LENGTH);
  const plain = bounded
    .normalize('NFKD')
    .toLowerCase()
    .replace(OPTIONAL_MARKS, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .replace(NON_WORD, '');
  return plain.slice(0, MAX_WORD_LENGTH).toWellFormed();
}
