/** Finds the name that was probably meant; undefined if none is close. */
export function closestName(word: string, names: readonly string[]): string | undefined {
  const query = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(query.length / 3)) + 1;
  for (const name of names) {
    const distance =
      name.toLowerCase().startsWith(query) && query.length > 2
        ? 1
        : editDistance(query, name.toLowerCase(), bestDistance);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = name;
  }
  return best;
}

/** The number of letters to change, add, remove or swap with their neighbour; at most `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = from[i - 1] === to[j - 1] ? 0 : 1;
      let cost = Math.min(valueAt(previous, j) + 1, valueAt(row, j - 1) + 1, valueAt(previous, j - 1) + substitution);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwap) cost = Math.min(cost, valueAt(beforePrevious, j - 2) + 1);
      row.push(cost);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return Math.min(limit, valueAt(previous, to.length));
}

function valueAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
