const HEADER = /(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10}/;

/** Finds tokens from their first dot: a regex for the whole token would scan on from every "eyJ" in a long text. */
export function replaceWebTokens(text: string, replacement: string): { text: string; count: number } {
  const segments: string[] = [];
  let end = 0;
  const tails = /\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;
  for (let match = tails.exec(text); match; match = tails.exec(text)) {
    const runStart = startOfRun(text, match.index, end);
    const header = text.slice(runStart, match.index).search(HEADER);
    if (header < 0) {
      tails.lastIndex = match.index + 1;
      continue;
    }
    segments.push(text.slice(end, runStart + header));
    end = tails.lastIndex;
  }
  return { text: [...segments, text.slice(end)].join(replacement), count: segments.length };
}

function startOfRun(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && /[A-Za-z0-9_-]/.test(text.charAt(start - 1))) start--;
  return start;
}
