import { formatClock, formatDateTime, formatDay } from '../../../ui/time.tsx';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The time of day; days have lines of their own. */
export function ClockTime({ ts }: { readonly ts: string }) {
  const date = new Date(ts);
  return (
    <time dateTime={ts} title={formatDateTime(date)}>
      {formatClock(date)}
    </time>
  );
}

/** "Today", "Yesterday", "Friday, 16 May", "16 May 2024" */
export function dayLabel(ts: string, now: Date): string {
  const date = new Date(ts);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return 'Today';
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday';
  if (date.getFullYear() !== now.getFullYear()) return `${formatDay(date)} ${date.getFullYear()}`;
  return `${WEEKDAYS[date.getDay()]}, ${formatDay(date)}`;
}
