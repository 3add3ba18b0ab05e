import { createStore, useStore } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const clock = createStore(Date.now());
if (typeof document !== 'undefined') setInterval(() => clock.set(Date.now()), 20_000);

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options);
const hours = format({ hour: '2-digit', minute: '2-digit' });
const day = format({ day: 'numeric', month: 'short' });
const year = format({ day: 'numeric', month: 'short', year: 'numeric' });
const exact = format({ dateStyle: 'full', timeStyle: 'long' });

/** How long ago, in as few words as will do; the exact time on hover. */
export function Time({ ts }: { readonly ts: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={ts} title={exact.format(new Date(ts))}>
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
  if (days === 0) return hours.format(then);
  if (days === 1) return `yesterday ${hours.format(then)}`;
  return then.getFullYear() === new Date(now).getFullYear() ? day.format(then) : year.format(then);
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
