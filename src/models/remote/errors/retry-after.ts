/** No server means a longer pause, and a huge number must not become "Infinity s". */
const MAX_RETRY_MS = 24 * 3_600_000;

/** How long a server asks to wait, in seconds or as a date; undefined if it does not say. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_MS);
  // Accept only text that starts like a date: "-5" would parse as a date in 2001.
  const date = /^([A-Za-z]{3}|\d{4}-)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_RETRY_MS);
}
