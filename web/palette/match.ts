/** How well a name answers what was typed: 0 not at all, 3 when it begins like it. Each word may stand anywhere. */
export function matchOf(name: string, typed: string): number {
  const wanted = words(typed);
  if (wanted.length === 0) return 1;
  const text = fold(name);
  const whole = wanted.join(' ');
  if (text.startsWith(whole)) return 3;
  const begins = words(name);
  if (wanted.every((word) => begins.some((each) => each.startsWith(word)))) return 2;
  return wanted.every((word) => text.includes(word)) ? 1 : 0;
}

/** The best first; those that answer alike stay in their order. */
export function best<Item>(items: readonly Item[], nameOf: (item: Item) => string, typed: string, atLeast = 1) {
  return items
    .map((item) => ({ item, score: matchOf(nameOf(item), typed) }))
    .filter(({ score }) => score >= atLeast)
    .sort((a, b) => b.score - a.score);
}

function words(text: string): readonly string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
