import { createStore, useStore } from '../data/store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const clock = createStore(Date.now());
if (typeof document !== 'undefined') {
  const tick = () => clock.set(Date.now());
  setInterval(tick, 20_000);
  // A tab that slept shows at once how long ago things were.
  document.addEventListener('visibilitychange', tick);
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** How long ago, in few words; the exact time appears on hover. */
export function Time({ ts }: { readonly ts: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={ts} title={formatDateTime(new Date(ts))}>
      {formatRelative(ts, now)}
    </time>
  );
}

export function formatRelative(ts: string, now: number): string {
  const then = new Date(ts);
  const age = now - then.getTime();
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 6 * HOUR) return `${Math.floor(age / HOUR)} h`;
  const days = daysBetween(then, new Date(now));
  if (days === 0) return formatClock(then);
  if (days === 1) return `yesterday ${formatClock(then)}`;
  return then.getFullYear() === new Date(now).getFullYear()
    ? formatDay(then)
    : `${formatDay(then)} ${then.getFullYear()}`;
}

/** "16 Nov" */
export function formatDay(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()]?.slice(0, 3)}`;
}

/** "09:05" */
export function formatClock(date: Date): string {
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** "09:05" of today, "16 Nov, 09:05" of another day */
export function formatMoment(date: Date, now: number): string {
  const days = daysBetween(date, new Date(now));
  return days === 0 ? formatClock(date) : `${formatDay(date)}, ${formatClock(date)}`;
}

/** "09:05:30" */
export function formatTime(date: Date): string {
  return `${formatClock(date)}:${pad(date.getSeconds())}`;
}

/** "Monday 16 November 2026 at 09:05:30, UTC+1" */
export function formatDateTime(date: Date): string {
  const day = `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} at ${formatTime(date)}, ${formatZone(-date.getTimezoneOffset())}`;
}

function formatZone(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${pad(rest)}`}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** A length of time in words: "5 minutes". */
export function formatDuration(seconds: number): string {
  const [size, unit] = seconds % 3600 === 0 ? [3600, 'hour'] : seconds % 60 === 0 ? [60, 'minute'] : [1, 'second'];
  const count = seconds / (size as number);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(to) - midnight(from)) / DAY);
}
