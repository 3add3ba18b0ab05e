import { sha256 } from '../../../log/seal.ts';
import { PROMPT_1 } from './v1.ts';
import { PROMPT_2 } from './v2.ts';

/** What a mind without a prompt of its own is told, in dialogues from before as well: each iteration has the hash. */
export const PROMPT = PROMPT_2;

const VERSION_BY_HASH = new Map([PROMPT_1, PROMPT_2].map((prompt, i) => [sha256(prompt), i + 1]));

/** Which version of Heddle's own prompts has this hash; undefined for one that a person gave. */
export function promptVersion(hash: string): number | undefined {
  return VERSION_BY_HASH.get(hash);
}
