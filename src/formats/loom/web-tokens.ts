const HEADER = /(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10}/;

/** Found from their first dot: an expression for the whole would read on from every "eyJ" of a long text. */
export function replaceWebTokens(text: string, replacement: string): { text: string; count: number } {
  const kept: string[] = [];
  let end = 0;
  const tails = /\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;
  for (let found = tails.exec(text); found; found = tails.exec(text)) {
    const run = startOfRun(text, found.index, end);
    const header = text.slice(run, found.index).search(HEADER);
    if (header < 0) {
      tails.lastIndex = found.index + 1;
      continue;
    }
    kept.push(text.slice(end, run + header));
    end = tails.lastIndex;
  }
  return { text: [...kept, text.slice(end)].join(replacement), count: kept.length };
}

function startOfRun(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && /[A-Za-z0-9_-]/.test(text.charAt(start - 1))) start--;
  return start;
}
