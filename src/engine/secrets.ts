import { type Refusal, refuse } from '../core/refusal.ts';

/** What an issued token looks like, wherever it turns up. */
const TOKENS = /hdl_[A-Za-z0-9_-]{43}/g;
const SHORTEST = 8;

/** Keeps tokens and keys out of everything that is stored or shown (L17). */
export interface Secrets {
  check(text: string): Refusal | undefined;
  remove(text: string): string;
}

/** `values` are the keys this process was given through its environment. */
export function createSecrets(values: () => readonly string[] = () => []): Secrets {
  // A value of a few characters is no key, and would turn up everywhere.
  const known = () => values().filter((value) => value.length >= SHORTEST);
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
  };
}
