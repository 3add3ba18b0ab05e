import type { BranchComparison } from '../../../../src/client/index.ts';
import { linePath, MEASURE_NAMES, MEASURES, type MeasureName, measureX } from '../panel/measures.ts';
import styles from '../panel/panel.module.css';
import own from './comparison.module.css';
import { SideKey } from './side-key.tsx';

const [WIDTH, HEIGHT] = [280, 52];

interface ComparisonDriftProps {
  readonly rounds: BranchComparison['rounds'];
  readonly common: number;
}

/** The four measures of two branches: A solid, B dashed. */
export function ComparisonDrift({ rounds, common }: ComparisonDriftProps) {
  const [first, last] = [rounds[0]?.round ?? 1, rounds.at(-1)?.round ?? 1];
  const hasParting = common >= first && common < last;
  return (
    <div>
      <p className={own.legend}>
        <SideKey side="A" /> solid line <SideKey side="B" /> dashed line
      </p>
      {MEASURE_NAMES.map((name) => (
        <BothMetric key={name} name={name} rounds={rounds} parting={hasParting ? common : undefined} />
      ))}
      <p className={styles.note}>
        Rounds {first} to {last}.
        {hasParting && ` The dashed vertical line is round ${common}, the last one they share.`}
      </p>
    </div>
  );
}

interface BothMetricProps {
  readonly name: MeasureName;
  readonly rounds: BranchComparison['rounds'];
  readonly parting: number | undefined;
}

function BothMetric({ name, rounds, parting }: BothMetricProps) {
  const { label } = MEASURES[name];
  const x = measureX(rounds, WIDTH);
  const y = (value: number) => 2 + (1 - Math.min(1, Math.max(0, value))) * (HEIGHT - 4);
  const path = (side: 'a' | 'b') =>
    linePath(
      rounds.map((each) => ({ round: each.round, value: each[side]?.[name] ?? null })),
      x,
      y,
    );
  const [a, b] = (['a', 'b'] as const).map((side) => rounds.findLast((each) => each[side])?.[side]?.[name] ?? null);
  const values = `A ${formatMeasure(a)} · B ${formatMeasure(b)}`;
  return (
    <section className={`${styles.metric} ${styles.both}`} aria-label={label}>
      <h3>{label}</h3>
      <span className={styles.value}>{values}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${label}: ${values}`}>
        <path className={styles.axis} d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} />
        {parting !== undefined && <path className={styles.audit} d={`M${x(parting).toFixed(1)} 0v${HEIGHT}`} />}
        <path className={styles.line} d={path('a')} />
        <path className={`${styles.line} ${styles.dashed}`} d={path('b')} />
      </svg>
      <p>{compareMeasures(a, b)}</p>
    </section>
  );
}

const LITTLE = 0.05;

function compareMeasures(a: number | null | undefined, b: number | null | undefined): string {
  if (a === null || a === undefined || b === null || b === undefined) return 'Not measured in both.';
  if (Math.abs(a - b) < LITTLE) return 'Little difference.';
  return a > b ? 'Higher in A.' : 'Higher in B.';
}

function formatMeasure(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(2);
}
