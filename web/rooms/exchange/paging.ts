/** An item of a list sorted newest first, with its round. */
type RoundBound = { readonly round: number };

/** Extends the known items with older ones, page by page, until a round is reached. */
export async function loadUntilRound<Item extends RoundBound>(
  items: readonly Item[],
  untilRound: number,
  fetchOlder: (last: Item | undefined) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const loaded = [...items];
  for (;;) {
    const last = loaded.at(-1);
    if (last && last.round < untilRound) return loaded;
    const page = await fetchOlder(last);
    if (page.length === 0) return loaded;
    loaded.push(...page);
  }
}

/** Puts freshly loaded items before the older known ones; if there is a gap between them, keeps only the fresh ones. */
export function mergeNewest<Item>(
  fresh: readonly Item[],
  known: readonly Item[],
  numberOf: (item: Item) => number,
): readonly Item[] {
  const oldest = fresh.at(-1);
  const newest = known[0];
  if (!oldest || !newest || numberOf(newest) + 1 < numberOf(oldest)) return fresh;
  return [...fresh, ...known.filter((item) => numberOf(item) < numberOf(oldest))];
}
