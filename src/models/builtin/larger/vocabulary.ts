import { BEGIN, END } from '../generation/tokenizer.ts';
import type { Loaded } from './llama.ts';

/** A model's tokens in the terms of src/models/builtin/generation/plan.ts: both have the same vocabulary of 32,000 pieces. */
export interface Vocabulary {
  encode(text: string, within?: boolean): number[];
  bytesOf(token: number): Uint8Array;
  textOf(token: number): string;
  isByte(token: number): boolean;
  isEnd(token: number): boolean;
}

const FIRST_BYTE = 3;
const LINE_BREAK = '\n';

/**
 * `mark`: a character that stands for the end of a turn. Whatever a text says, no other way leads to that token.
 */
export function createVocabulary({ model }: Pick<Loaded, 'model'>, mark?: string): Vocabulary {
  // A whole text begins with an added space; what goes on from another must not, and no piece reaches over a line break.
  const added = model.tokenize(LINE_BREAK).length;
  const within = (text: string) => (text === '' ? [] : model.tokenize(LINE_BREAK + text).slice(added));
  const isByte = (token: number) => token >= FIRST_BYTE && token < FIRST_BYTE + 256;
  const textOf = (token: number) => model.detokenize([token], false, [FIRST_BYTE + LINE_BREAK.charCodeAt(0)]);

  function encode(text: string, goesOn = false): number[] {
    const [first = '', ...turns] = mark === undefined ? [text] : text.split(mark);
    const tokens = goesOn ? within(first) : model.tokenize(first);
    return [...tokens, ...turns.flatMap((turn) => [END, ...within(turn)])];
  }

  return {
    encode,
    textOf,
    isByte,
    bytesOf: (token) => (isByte(token) ? Uint8Array.of(token - FIRST_BYTE) : Buffer.from(textOf(token))),
    isEnd: (token) => token === BEGIN || model.isEogToken(token),
  };
}
