/**
 * Removes matching characters from the end. A regular expression like `/x+$/` would retry at every run of them in the
 * text.
 */
export function trimEndWhile(text: string, shouldTrim: (char: string) => boolean): string {
  let end = text.length;
  while (end > 0) {
    const isPair =
      end > 1 && (text.charCodeAt(end - 1) & 0xfc00) === 0xdc00 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
    const start = end - (isPair ? 2 : 1);
    if (!shouldTrim(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}
