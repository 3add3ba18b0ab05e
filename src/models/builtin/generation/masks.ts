import type { Mask } from './sampler.ts';
import { BEGIN, END, type Tokenizer } from './tokenizer.ts';

/** Which tokens may come where, by row of `met`. */
export interface Masks {
  /** Anything but the sign for what cannot be read. */
  free(owed: string): Mask;
  /** Within a hole: no control characters, and no bytes that could add up to one. */
  readonly within: Mask;
  /** First in a hole: nothing that would leave it blank either. */
  first(stops: readonly string[], owed: string): Mask;
}

const CONTROL = /(?!\n)\p{Cc}|\p{Zl}|\p{Zp}/u;

/** `owed`: what the text before ends with and the first token has to begin with (see writer.ts). */
export function createMasks(tokenizer: Tokenizer, met: Int32Array): Masks {
  const known = new Map<string, Mask>();
  const where = (key: string, banned: (token: number, text: string) => boolean): Mask => {
    const mask = known.get(key) ?? Uint8Array.from(met, (token) => Number(banned(token, tokenizer.textOf(token))));
    if (known.size >= 64) known.clear();
    known.set(key, mask);
    return mask;
  };
  const ends = (token: number) => token === BEGIN || token === END;
  const unreadable = (token: number) => token === 0;
  const isPart = (token: number) => tokenizer.isByte(token) && tokenizer.bytesOf(token)[0]! >= 0x80;
  const isControl = (token: number, text: string) => unreadable(token) || isPart(token) || CONTROL.test(text);
  const keepsOwed = (token: number, text: string, owed: string) => ends(token) || text.startsWith(owed);
  return {
    free: (owed) => where(`free ${owed}`, (token, text) => unreadable(token) || !keepsOwed(token, text, owed)),
    within: where('within', isControl),
    first: (stops, owed) =>
      where(`first ${JSON.stringify([stops, owed])}`, (token, text) => {
        if (ends(token) || isControl(token, text) || !keepsOwed(token, text, owed)) return true;
        const kept = Math.min(text.length, ...stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0));
        return text.slice(0, kept).trim() === '';
      }),
  };
}
