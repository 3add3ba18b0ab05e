import type { BranchComparison } from '../../../../src/client/index.ts';
import { formatMeasure, MEASURES } from '../panel/drift-plot.tsx';

const WIDTH = 160;
const HEIGHT = 56;

/** The four measures of two branches, one small plot for each: this branch solid, the other dashed. */
export function ComparisonDrift({
  rounds,
  common,
}: {
  readonly rounds: BranchComparison['rounds'];
  readonly common: number;
}) {
  const [first, last] = [rounds[0]?.round ?? 1, rounds.at(-1)?.round ?? 1];
  const x = (round: number) => 2 + ((round - first) / Math.max(1, last - first)) * (WIDTH - 4);
  return (
    <>
      <div className="small-plots">
        {MEASURES.map(({ name, hue }) => {
          const latestValues = (['a', 'b'] as const).map(
            (side) => rounds.findLast((each) => each[side])?.[side]?.[name] ?? null,
          );
          return (
            <figure key={name}>
              <svg
                viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                role="img"
                aria-label={`${name}: ${formatMeasure(latestValues[0] ?? null)} here, ${formatMeasure(latestValues[1] ?? null)} in the other`}
                style={{ color: `var(--hue-${hue})` }}
              >
                <path className="axis" d={`M0 ${HEIGHT - 2}H${WIDTH}`} />
                {common >= first && common < last && (
                  <path className="axis" d={`M${x(common).toFixed(1)} 2V${HEIGHT - 2}`} />
                )}
                <path className="drift-line" d={linePath(rounds, 'a', name, x)} />
                <path className="drift-line" strokeDasharray="4 3" d={linePath(rounds, 'b', name, x)} />
              </svg>
              <figcaption>
                {name}{' '}
                <span className="soft">
                  {formatMeasure(latestValues[0] ?? null)} / {formatMeasure(latestValues[1] ?? null)}
                </span>
              </figcaption>
            </figure>
          );
        })}
      </div>
      <p className="soft small-print">
        this one drawn through, the other dashed; rounds {first} to {last}
        {common >= first && common < last && `, apart after ${common}`}
      </p>
    </>
  );
}

function linePath(
  rounds: BranchComparison['rounds'],
  side: 'a' | 'b',
  name: (typeof MEASURES)[number]['name'],
  x: (round: number) => number,
): string {
  let isOpen = false;
  return rounds
    .map((each) => {
      const value = each[side]?.[name];
      if (value === undefined || value === null) {
        isOpen = false;
        return '';
      }
      const step = isOpen ? 'L' : 'M';
      isOpen = true;
      const y = 2 + (1 - Math.min(1, Math.max(0, value))) * (HEIGHT - 4);
      return `${step}${x(each.round).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
