/** Tags of a thread, and characters of a tag (T33). */
export const MAX_TAGS = 16;
export const MAX_TAG_CHARS = 32;

/** Letters, digits and emoji, with blanks, dots, dashes and the like between them: what can be typed as a filter. */
const TAG =
  /^[\p{L}\p{N}\p{Extended_Pictographic}](?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier} ._/+-]|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d)*$/u;

/** A tag as it is stored: without a leading "#", in lower case, with single blanks; undefined if it cannot be one. */
export function normalizeTag(text: string): string | undefined {
  // Cut first, so that the cost does not depend on the length of the input.
  const tag = text
    .slice(0, 8 * MAX_TAG_CHARS)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^#/, '')
    .toLowerCase();
  const isTag = TAG.test(tag) && Array.from(tag).length <= MAX_TAG_CHARS && text.length <= 8 * MAX_TAG_CHARS;
  return isTag ? tag : undefined;
}
