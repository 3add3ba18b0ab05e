import { Progress as Base } from '@base-ui/react/progress';
import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  /** From 0 to 1; null while nobody knows. */
  readonly fraction: number | null;
  readonly tone?: 'plain' | 'warn' | 'bad';
}

export function Progress({ label, fraction, tone = 'plain' }: ProgressProps) {
  return (
    <Base.Root aria-label={label} value={fraction === null ? null : Math.round(fraction * 100)}>
      <Base.Track className={styles.track}>
        <Base.Indicator className={`${styles.indicator} ${styles[tone]}`} />
      </Base.Track>
    </Base.Root>
  );
}
