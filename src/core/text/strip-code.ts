/** A text without its code, fenced or between backticks; each part of it is looked at once. */
export function withoutCode(text: string): string {
  const prose: string[] = [];
  const unclosed = new Set<string>();
  const openings = /```|~~~|``?/g;
  let kept = 0;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const [sign] = found;
    const end = unclosed.has(sign) ? undefined : endOfCode(text, sign, found.index + sign.length);
    if (end === undefined) {
      // What does not close here closes nowhere behind it either. Of two backticks the second may still open something.
      unclosed.add(sign);
      openings.lastIndex = found.index + 1;
      continue;
    }
    prose.push(text.slice(kept, found.index));
    kept = end;
    openings.lastIndex = end;
  }
  return [...prose, text.slice(kept)].join(' ');
}

/** A fence that never closes goes to the end; backticks close with as many as they were opened with. */
function endOfCode(text: string, sign: string, from: number): number | undefined {
  if (sign.length === 3) {
    const close = text.indexOf(sign, from);
    return close < 0 ? text.length : close + sign.length;
  }
  for (let at = text.indexOf('`', from); at >= 0; ) {
    const end = endOfRun(text, at);
    if (end - at === sign.length) return end;
    at = text.indexOf('`', end);
  }
  return undefined;
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === '`') end++;
  return end;
}
