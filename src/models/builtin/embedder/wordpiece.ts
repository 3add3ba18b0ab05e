import { readFileSync } from 'node:fs';

/** Converts a text to the embedder's tokens, between the start and end tokens; at most `maxTokens`. */
export type Tokenize = (text: string, maxTokens: number) => readonly number[];

const CLS_PIECE = '[CLS]';
const SEP_PIECE = '[SEP]';
const UNKNOWN_PIECE = '[UNK]';
const MAX_WORD_LENGTH = 100;

const DROPPED_CHARS = /(?![\t\n\r])[\0\ufffd\p{Cc}\p{Cf}\p{Co}]/gu;
/** Scripts written without spaces between words: every character counts as a word. */
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const ACCENT_MARKS = /\p{Mn}/gu;
const WORD = /[\p{P}!-/:-@[-`{-~]|[^\s\p{P}!-/:-@[-`{-~]+/gu;

/**
 * BERT's uncased tokenizer, using the vocabulary of a `tokenizer.json`. Special tokens in a text are treated as text,
 * so that writing "[SEP]" cannot end a text early.
 */
export function createWordPiece(path: string): Tokenize {
  const { model } = JSON.parse(readFileSync(path, 'utf8')) as { model: { vocab: Record<string, number> } };
  const vocabulary = new Map(Object.entries(model.vocab));
  const specialToken = (piece: string): number => {
    const token = vocabulary.get(piece);
    if (token === undefined) throw new Error(`The embedder's vocabulary has no ${piece}.`);
    return token;
  };
  const [firstToken, lastToken, unknownToken] = [
    specialToken(CLS_PIECE),
    specialToken(SEP_PIECE),
    specialToken(UNKNOWN_PIECE),
  ];
  return (text, maxTokens) => {
    const tokens = [firstToken];
    for (const [word] of normalizeText(text).matchAll(WORD)) {
      if (tokens.length >= maxTokens) break;
      tokens.push(...(piecesOf(word, vocabulary) ?? [unknownToken]));
    }
    return [...tokens.slice(0, maxTokens - 1), lastToken];
  };
}

function normalizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(DROPPED_CHARS, '')
    .replace(IDEOGRAPH, ' $& ')
    .normalize('NFD')
    .replace(ACCENT_MARKS, '')
    .toLowerCase();
}

/** The longest piece that fits, then the longest of the rest; undefined if any part has no piece. */
function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>): readonly number[] | undefined {
  const letters = [...word];
  if (letters.length > MAX_WORD_LENGTH) return undefined;
  const pieces: number[] = [];
  for (let start = 0; start < letters.length; ) {
    let end = letters.length;
    let piece: number | undefined;
    for (; end > start; end--) {
      piece = vocabulary.get((start > 0 ? '##' : '') + letters.slice(start, end).join(''));
      if (piece !== undefined) break;
    }
    if (piece === undefined) return undefined;
    pieces.push(piece);
    start = end;
  }
  return pieces;
}
