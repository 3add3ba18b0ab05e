const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in words; the date if it is more than a week. */
export function formatAgo(ts: string, now: number): string {
  const elapsed = now - Date.parse(ts);
  if (elapsed < MINUTE) return 'just now';
  if (elapsed < HOUR) return `${Math.floor(elapsed / MINUTE)} min ago`;
  if (elapsed < DAY) return `${Math.floor(elapsed / HOUR)} h ago`;
  if (elapsed < 2 * DAY) return 'yesterday';
  if (elapsed < 7 * DAY) return `${Math.floor(elapsed / DAY)} days ago`;
  return formatDate(ts);
}

/** The clock time, for lines that stay on the screen. */
export function formatClock(ts: string): string {
  const date = new Date(ts);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The clock time with seconds. */
export function formatClockSeconds(ts: string): string {
  return `${formatClock(ts)}:${twoDigits(new Date(ts).getSeconds())}`;
}

function formatDate(ts: string): string {
  const date = new Date(ts);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(Math.floor(seconds % 60))} s`;
  return `${Math.floor(seconds / 3600)} h ${twoDigits(Math.floor((seconds % 3600) / 60))} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: DAY, w: 7 * DAY };

/** Parses a date, a date and time, or a duration ago, in the user's local time. */
export function parseMoment(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count && unit) return now - Number(count) * (UNITS[unit] as number);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const time = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(time) ? undefined : time;
}
