/** Position of the first stop text; -1 if there is none. */
export function findFirstStop(text: string, stops: readonly string[]): number {
  const positions = stops.map((stop) => text.indexOf(stop)).filter((position) => position >= 0);
  return positions.length === 0 ? -1 : Math.min(...positions);
}

/** How many characters at the end of the text may be the beginning of a stop text. */
export function stopPrefixLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
