import { createStore, useStore } from '../data/store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const clock = createStore(Date.now());
if (typeof document !== 'undefined') setInterval(() => clock.set(Date.now()), 20_000);

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** How long ago, in as few words as will do; the exact time on hover. */
export function Time({ ts }: { readonly ts: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={ts} title={exactly(new Date(ts))}>
      {relative(ts, now)}
    </time>
  );
}

export function relative(ts: string, now: number): string {
  const then = new Date(ts);
  const age = now - then.getTime();
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 6 * HOUR) return `${Math.floor(age / HOUR)} h`;
  const days = daysBetween(then, new Date(now));
  if (days === 0) return clockTime(then);
  if (days === 1) return `yesterday ${clockTime(then)}`;
  return then.getFullYear() === new Date(now).getFullYear() ? dayOf(then) : `${dayOf(then)} ${then.getFullYear()}`;
}

/** "16 Nov" */
export function dayOf(at: Date): string {
  return `${at.getDate()} ${MONTHS[at.getMonth()]?.slice(0, 3)}`;
}

/** "09:05" */
export function clockTime(at: Date): string {
  return `${padded(at.getHours())}:${padded(at.getMinutes())}`;
}

/** "09:05:30" */
export function exactTime(at: Date): string {
  return `${clockTime(at)}:${padded(at.getSeconds())}`;
}

/** "Monday 16 November 2026 at 09:05:30, UTC+1" */
export function exactly(at: Date): string {
  const day = `${WEEKDAYS[at.getDay()]} ${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
  return `${day} at ${exactTime(at)}, ${zone(-at.getTimezoneOffset())}`;
}

function zone(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${padded(rest)}`}`;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

/** A length of time in words: "5 minutes". */
export function lasting(seconds: number): string {
  const [size, unit] = seconds % 3600 === 0 ? [3600, 'hour'] : seconds % 60 === 0 ? [60, 'minute'] : [1, 'second'];
  const count = seconds / (size as number);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function daysBetween(from: Date, to: Date): number {
  const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
  return Math.round((midnight(to) - midnight(from)) / DAY);
}
