/** A kind of thread in a sentence: "a loom", "an exchange". */
export function withArticle(kind: string): string {
  return `${kind === 'exchange' ? 'an' : 'a'} ${kind}`;
}
