/** The number of words, as spaces divide them. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
