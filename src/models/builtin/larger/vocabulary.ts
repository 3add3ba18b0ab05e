import { BEGIN, END, type Tokenizer } from '../generation/tokenizer.ts';
import type { LoadedLlama } from './llama.ts';

/** Adapts a model's tokens to src/models/builtin/generation/plan.ts: both have the same vocabulary of 32,000 pieces. */
export interface LlamaVocabulary extends Pick<Tokenizer, 'encode' | 'bytesOf' | 'textOf' | 'isByte'> {
  isEnd(token: number): boolean;
}

const FIRST_BYTE = 3;
const LINE_BREAK = '\n';

/** `turnEnd` is a character that represents the end of a turn. No other text is ever encoded as that token. */
export function createVocabulary({ model }: Pick<LoadedLlama, 'model'>, turnEnd?: string): LlamaVocabulary {
  // A whole text starts with an added space; a continuation must not, and no piece crosses a line break.
  const prefixLength = model.tokenize(LINE_BREAK).length;
  const tokenizeContinuation = (text: string) =>
    text === '' ? [] : model.tokenize(LINE_BREAK + text).slice(prefixLength);
  const isByte = (token: number) => token >= FIRST_BYTE && token < FIRST_BYTE + 256;
  const textOf = (token: number) => model.detokenize([token], false, [FIRST_BYTE + LINE_BREAK.charCodeAt(0)]);

  function encode(text: string, isContinuation = false): number[] {
    const [first = '', ...turns] = turnEnd === undefined ? [text] : text.split(turnEnd);
    const tokens = isContinuation ? tokenizeContinuation(first) : model.tokenize(first);
    return [...tokens, ...turns.flatMap((turn) => [END, ...tokenizeContinuation(turn)])];
  }

  return {
    encode,
    textOf,
    isByte,
    bytesOf: (token) => (isByte(token) ? Uint8Array.of(token - FIRST_BYTE) : Buffer.from(textOf(token))),
    isEnd: (token) => token === BEGIN || model.isEogToken(token),
  };
}
