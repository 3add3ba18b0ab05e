/** Removes code from a text, both fenced and between backticks, in one pass. */
export function stripCode(text: string): string {
  const prose: string[] = [];
  const unclosed = new Set<string>();
  const openings = /```|~~~|``?/g;
  let proseStart = 0;
  for (let opening = openings.exec(text); opening; opening = openings.exec(text)) {
    const [fence] = opening;
    const end = unclosed.has(fence) ? undefined : endOfCode(text, fence, opening.index + fence.length);
    if (end === undefined) {
      // A fence that does not close here does not close later either. Of two backticks, the second may still open code.
      unclosed.add(fence);
      openings.lastIndex = opening.index + 1;
      continue;
    }
    prose.push(text.slice(proseStart, opening.index));
    proseStart = end;
    openings.lastIndex = end;
  }
  return [...prose, text.slice(proseStart)].join(' ');
}

/** A fence that never closes extends to the end; backticks close with the same number of backticks. */
function endOfCode(text: string, fence: string, from: number): number | undefined {
  if (fence.length === 3) {
    const close = text.indexOf(fence, from);
    return close < 0 ? text.length : close + fence.length;
  }
  for (let at = text.indexOf('`', from); at >= 0; ) {
    const end = endOfRun(text, at);
    if (end - at === fence.length) return end;
    at = text.indexOf('`', end);
  }
  return undefined;
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === '`') end++;
  return end;
}
