import { type Refusal, refuse } from '../core/refusal.ts';

/** What an issued token looks like, wherever it turns up. */
const TOKENS = /hdl_[A-Za-z0-9_-]{43}/g;
const SHORTEST = 8;

const TOKEN_BEGUN = /(?:hdl_[A-Za-z0-9_-]{0,42}|hdl|hd|h)$/;
const TOKEN_LENGTH = 47;

/** Keeps tokens and keys out of everything that is stored or shown (L17). */
export interface Secrets {
  check(text: string): Refusal | undefined;
  remove(text: string): string;
  /** How much of the end of a text may be the beginning of a secret: a stream waits with it. */
  heldBack(text: string): number;
}

/** `values` are the keys this process was given through its environment. */
export function createSecrets(values: () => readonly string[] = () => []): Secrets {
  // A value of a few characters is no key, and would turn up everywhere.
  const whole = () => values().filter((value) => value.length >= SHORTEST);
  const known = () => whole().flatMap(spellings);
  return {
    check(text) {
      const found =
        (text.includes('hdl_') && text.search(TOKENS) >= 0) || known().some((value) => text.includes(value));
      if (!found) return undefined;
      return refuse(
        'unacceptable_text',
        'The text contains a secret (a Heddle token or a key of this workspace). Nothing was stored; take it out and send again.',
      );
    },
    remove(text) {
      let clean = text.replace(TOKENS, '[removed]');
      for (const value of known()) clean = clean.replaceAll(value, '[removed]');
      return clean;
    },
    heldBack(text) {
      const token = TOKEN_BEGUN.exec(text.slice(-TOKEN_LENGTH))?.[0].length ?? 0;
      return Math.max(token, ...whole().map((value) => begunAt(text, value)));
    },
  };
}

/** As it is, in JSON, and in JSON that is kept within JSON. */
function spellings(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return inJson === value ? [value] : [value, inJson, JSON.stringify(inJson).slice(1, -1)];
}

/** How many characters of the value a text ends with. */
function begunAt(text: string, value: string): number {
  let length = Math.min(text.length, value.length - 1);
  while (length > 0 && !text.endsWith(value.slice(0, length))) length--;
  return length;
}
