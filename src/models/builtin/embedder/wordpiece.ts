import { readFileSync } from 'node:fs';

/** From a text to the tokens the embedder was trained with, between a first and a last of their own; no more than `most`. */
export type Tokenize = (text: string, most: number) => readonly number[];

const FIRST = '[CLS]';
const LAST = '[SEP]';
const UNKNOWN = '[UNK]';
const LONGEST_WORD = 100;

const DROPPED = /(?![\t\n\r])[\0\ufffd\p{Cc}\p{Cf}\p{Co}]/gu;
/** Written without spaces between words: every character is a word. */
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const MARK = /\p{Mn}/gu;
const WORD = /[\p{P}!-/:-@[-`{-~]|[^\s\p{P}!-/:-@[-`{-~]+/gu;

/**
 * BERT's tokenizer for text without capitals, by the vocabulary in a `tokenizer.json`. What looks like a special token
 * in a text is text: nobody ends a text early by writing "[SEP]".
 */
export function createTokenize(path: string): Tokenize {
  const { model } = JSON.parse(readFileSync(path, 'utf8')) as { model: { vocab: Record<string, number> } };
  const vocabulary = new Map(Object.entries(model.vocab));
  const special = (piece: string): number => {
    const token = vocabulary.get(piece);
    if (token === undefined) throw new Error(`The embedder's vocabulary has no ${piece}.`);
    return token;
  };
  const [first, last, unknown] = [special(FIRST), special(LAST), special(UNKNOWN)];
  return (text, most) => {
    const tokens = [first];
    for (const [word] of plain(text).matchAll(WORD)) {
      if (tokens.length >= most) break;
      tokens.push(...(piecesOf(word, vocabulary) ?? [unknown]));
    }
    return [...tokens.slice(0, most - 1), last];
  };
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(DROPPED, '')
    .replace(IDEOGRAPH, ' $& ')
    .normalize('NFD')
    .replace(MARK, '')
    .toLowerCase();
}

/** The longest piece that fits, then the longest of the rest; nothing if any part has none. */
function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>): readonly number[] | undefined {
  const letters = [...word];
  if (letters.length > LONGEST_WORD) return undefined;
  const pieces: number[] = [];
  for (let from = 0; from < letters.length; ) {
    let to = letters.length;
    let piece: number | undefined;
    for (; to > from; to--) {
      piece = vocabulary.get((from > 0 ? '##' : '') + letters.slice(from, to).join(''));
      if (piece !== undefined) break;
    }
    if (piece === undefined) return undefined;
    pieces.push(piece);
    from = to;
  }
  return pieces;
}
