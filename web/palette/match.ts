/** How well a name matches the query: 0 not at all, 3 if it starts with it. The words may occur in any order. */
export function matchScore(name: string, query: string): number {
  const queryWords = splitWords(query);
  if (queryWords.length === 0) return 1;
  const text = fold(name);
  const phrase = queryWords.join(' ');
  if (text.startsWith(phrase)) return 3;
  const nameWords = splitWords(name);
  if (queryWords.every((word) => nameWords.some((each) => each.startsWith(word)))) return 2;
  return queryWords.every((word) => text.includes(word)) ? 1 : 0;
}

/** Best matches first; equal matches keep their order. */
export function rankMatches<Item>(items: readonly Item[], nameOf: (item: Item) => string, query: string, minScore = 1) {
  return items
    .map((item) => ({ item, score: matchScore(nameOf(item), query) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score);
}

export function splitWords(text: string): readonly string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
