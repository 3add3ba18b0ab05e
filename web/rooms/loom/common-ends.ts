/** The lengths of the common prefix of two texts and of the common suffix of the rest. */
export function commonEnds(before: string, after: string): { readonly prefix: number; readonly suffix: number } {
  const shorterLength = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorterLength && before.charCodeAt(prefix) === after.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  while (
    suffix < shorterLength - prefix &&
    before.charCodeAt(before.length - 1 - suffix) === after.charCodeAt(after.length - 1 - suffix)
  )
    suffix++;
  return { prefix, suffix };
}
