import { sha256 } from '../../../log/seal.ts';
import { PROMPT_1 } from './v1.ts';
import { PROMPT_2 } from './v2.ts';

/**
 * The default prompt, also for dialogues that began with an earlier one: each iteration records the hash of its prompt.
 */
export const PROMPT = PROMPT_2;

const VERSION_BY_HASH = new Map([PROMPT_1, PROMPT_2].map((prompt, i) => [sha256(prompt), i + 1]));

/** The version of Heddle's prompt with this hash; undefined for a prompt that a person wrote. */
export function promptVersion(hash: string): number | undefined {
  return VERSION_BY_HASH.get(hash);
}
