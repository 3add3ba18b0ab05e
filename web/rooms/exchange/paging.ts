/** What was said, newest first, each with the round it was said in. */
type RoundBound = { readonly round: number };

/** What is known and what is older, down to a round: asked for page by page, each behind the last. */
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

/** The newest, read again, before what is known and older; where they do not meet, only the newest. */
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
