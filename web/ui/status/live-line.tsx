import { useEffect, useState } from 'react';
import styles from './live-line.module.css';

interface LiveLineProps {
  /** "Writing", "Reading 12 messages" */
  readonly doing: string;
  /** When it began, in milliseconds. */
  readonly since: number;
  /** The participant's hue. */
  readonly hue?: number;
}

/** What is going on now, and for how long. Screen readers hear what, not every second. */
export function LiveLine({ doing, since, hue }: LiveLineProps) {
  const now = useSeconds();
  return (
    <span className={styles.live} data-hue={hue}>
      <span>{doing}</span>
      <span aria-hidden="true">· {formatElapsed(now - since)}</span>
    </span>
  );
}

/** How long something has been going on, without words. */
export function Elapsed({ since, hue }: Pick<LiveLineProps, 'since' | 'hue'>) {
  const now = useSeconds();
  return (
    <span className={styles.live} data-hue={hue} aria-hidden="true">
      {formatElapsed(now - since)}
    </span>
  );
}

/** "0:08", "12:40", "1:02:03" */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const padded = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
