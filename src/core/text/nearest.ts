/** Which of some names was probably meant; undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const asked = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(asked.length / 3)) + 1;
  for (const name of names) {
    const far = name.toLowerCase().startsWith(asked) && asked.length > 2 ? 1 : steps(asked, name.toLowerCase(), least);
    if (far >= least) continue;
    least = far;
    best = name;
  }
  return best;
}

/** Letters to change, add, leave out or swap with their neighbour; `enough` when there are at least so many. */
function steps(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let older: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + change);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, at(older, j - 2) + 1);
      row.push(cost);
    }
    [older, above] = [above, row];
  }
  return Math.min(enough, at(above, to.length));
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
