import type { Mask } from './sampler.ts';
import { BEGIN, END, type Tokenizer } from './tokenizer.ts';

/** Masks of the tokens allowed at each place, by row of `trainedTokens`. */
export interface Masks {
  /** Allows everything except the token for unreadable text. */
  free(pendingSpace: string): Mask;
  /** Inside a hole: no control characters, and no bytes that could form one. */
  readonly inHole: Mask;
  /** At the start of a hole: also nothing that would leave it blank. */
  holeStart(stops: readonly string[], pendingSpace: string): Mask;
}

const CONTROL_CHARS = /(?!\n)\p{Cc}|\p{Zl}|\p{Zp}/u;

/**
 * `pendingSpace` is the space at the end of the previous text, which the first token must start with (see writer.ts).
 */
export function createMasks(tokenizer: Tokenizer, trainedTokens: Int32Array): Masks {
  const cache = new Map<string, Mask>();
  const maskFor = (key: string, isBanned: (token: number, text: string) => boolean): Mask => {
    const mask =
      cache.get(key) ?? Uint8Array.from(trainedTokens, (token) => Number(isBanned(token, tokenizer.textOf(token))));
    if (cache.size >= 64) cache.clear();
    cache.set(key, mask);
    return mask;
  };
  const isEnd = (token: number) => token === BEGIN || token === END;
  const isUnreadable = (token: number) => token === 0;
  const isPartialByte = (token: number) => tokenizer.isByte(token) && tokenizer.bytesOf(token)[0]! >= 0x80;
  const isControl = (token: number, text: string) =>
    isUnreadable(token) || isPartialByte(token) || CONTROL_CHARS.test(text);
  const keepsSpace = (token: number, text: string, pendingSpace: string) =>
    isEnd(token) || text.startsWith(pendingSpace);
  return {
    free: (pendingSpace) =>
      maskFor(`free ${pendingSpace}`, (token, text) => isUnreadable(token) || !keepsSpace(token, text, pendingSpace)),
    inHole: maskFor('within', isControl),
    holeStart: (stops, pendingSpace) =>
      maskFor(`first ${JSON.stringify([stops, pendingSpace])}`, (token, text) => {
        if (isEnd(token) || isControl(token, text) || !keepsSpace(token, text, pendingSpace)) return true;
        const end = Math.min(text.length, ...stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0));
        return text.slice(0, end).trim() === '';
      }),
  };
}
