import type { DriftPoint } from '../../../../src/client/index.ts';
import { linePath, MEASURES, type MeasureName, measureX } from './measures.ts';
import styles from './panel.module.css';

const [WIDTH, HEIGHT] = [96, 28];

interface MetricProps {
  readonly name: MeasureName;
  readonly rounds: readonly DriftPoint[];
  /** Rounds that an audit followed. */
  readonly audits: readonly number[];
}

/** One measure: its name, its value, a small line, and a sentence that says what it tells (X11). */
export function Metric({ name, rounds, audits }: MetricProps) {
  const { label, tell } = MEASURES[name];
  const value = rounds.at(-1)?.[name] ?? null;
  const x = measureX(rounds, WIDTH - 4);
  const points = rounds.map(({ round, [name]: each }) => ({ round, value: each }));
  const last = points.findLast((point) => point.value !== null);
  const y = (each: number) => 2 + (1 - Math.min(1, Math.max(0, each))) * (HEIGHT - 4);
  return (
    <section className={styles.metric} aria-label={label}>
      <h3>
        {label} <span className={styles.value}>{value === null ? '–' : value.toFixed(2)}</span>
      </h3>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path className={styles.axis} d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} />
        {audits
          .filter((round) => round >= (rounds[0]?.round ?? 0) && round <= (rounds.at(-1)?.round ?? 0))
          .map((round) => (
            <path key={round} className={styles.audit} d={`M${x(round).toFixed(1)} 0v${HEIGHT}`} />
          ))}
        <path className={styles.line} d={linePath(points, x, y)} />
        {last && <circle cx={x(last.round)} cy={y(last.value as number)} r="3" fill="currentColor" />}
      </svg>
      <p>{value === null ? 'Not measured yet.' : tell(value)}</p>
    </section>
  );
}
