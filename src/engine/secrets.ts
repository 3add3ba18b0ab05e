import { type Refusal, refuse } from '../core/refusal.ts';

/** Matches issued tokens anywhere in a text. */
const TOKENS = /hdl_[A-Za-z0-9_-]{43}/g;
const MIN_SECRET_CHARS = 8;

const PARTIAL_TOKEN = /(?:hdl_[A-Za-z0-9_-]{0,42}|hdl|hd|h)$/;
const TOKEN_LENGTH = 47;

/** Keeps tokens and keys out of everything that is stored or shown (L17). */
export interface Secrets {
  check(text: string): Refusal | undefined;
  remove(text: string): string;
  /** Length of the end of a text that may be the start of a secret: a stream holds it back. */
  partialSecretLength(text: string): number;
}

/** `values` are the keys in this process's environment. */
export function createSecrets(values: () => readonly string[] = () => []): Secrets {
  // A very short value is not a key, and would match everywhere.
  const longValues = () => values().filter((value) => value.length >= MIN_SECRET_CHARS);
  const spellingsOfAll = () => longValues().flatMap(spellings);
  return {
    check(text) {
      const hasSecret =
        (text.includes('hdl_') && text.search(TOKENS) >= 0) || spellingsOfAll().some((value) => text.includes(value));
      if (!hasSecret) return undefined;
      return refuse(
        'unacceptable_text',
        'The text contains a secret (a Heddle token or a key of this workspace). Nothing was stored; remove it and send again.',
      );
    },
    remove(text) {
      let clean = text.replace(TOKENS, '[removed]');
      for (const value of spellingsOfAll()) clean = clean.replaceAll(value, '[removed]');
      return clean;
    },
    partialSecretLength(text) {
      const token = PARTIAL_TOKEN.exec(text.slice(-TOKEN_LENGTH))?.[0].length ?? 0;
      return Math.max(token, ...longValues().map((value) => overlapLength(text, value)));
    },
  };
}

/** The value unchanged, in JSON, and in JSON nested within JSON. */
function spellings(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return inJson === value ? [value] : [value, inJson, JSON.stringify(inJson).slice(1, -1)];
}

/** Number of the value's first characters that the text ends with. */
function overlapLength(text: string, value: string): number {
  let length = Math.min(text.length, value.length - 1);
  while (length > 0 && !text.endsWith(value.slice(0, length))) length--;
  return length;
}
