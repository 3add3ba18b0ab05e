const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in words; beyond a week the date says more. */
export function ago(ts: string, now: number): string {
  const passed = now - Date.parse(ts);
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  if (passed < 2 * DAY) return 'yesterday';
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)} days ago`;
  return dateOf(ts);
}

/** For lines that stay on the screen while time goes by. */
export function clock(ts: string): string {
  const at = new Date(ts);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The same where seconds count. */
export function clockWithSeconds(ts: string): string {
  return `${clock(ts)}:${two(new Date(ts).getSeconds())}`;
}

function dateOf(ts: string): string {
  const at = new Date(ts);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(Math.floor(seconds % 60))} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: DAY, w: 7 * DAY };

/** A time as people write it, by the clock of whoever writes: a date, a date and time, or how long ago. */
export function momentOf(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count && unit) return now - Number(count) * (UNITS[unit] as number);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const time = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(time) ? undefined : time;
}
