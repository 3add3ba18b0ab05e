/** Long enough for two lines on a wide page. */
const MAX_CHARS = 280;

/** The beginning of a text on one line, small enough for the row of a thread. */
export function excerptOf(text: string, limit: number = MAX_CHARS): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= limit && text.length <= 4 * limit) return line;
  // A cut through a surrogate pair would leave half a character, which no store keeps.
  return `${line
    .slice(0, limit - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
