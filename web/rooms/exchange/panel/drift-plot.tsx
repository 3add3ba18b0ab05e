import { useMemo, useState } from 'react';
import type { DriftPoint } from '../../../../src/client/index.ts';

export const MEASURES = [
  { name: 'diversity', hue: 0, dash: undefined, is: 'mean distance of two active thoughts' },
  { name: 'novelty', hue: 1, dash: '5 2', is: 'distance to the nearest earlier thought' },
  { name: 'dominance', hue: 3, dash: '1 2', is: 'the largest cluster’s part of the active pool' },
  { name: 'noise', hue: 5, dash: '7 2 1 2', is: 'the part without a cluster' },
] as const;
type DriftMeasure = (typeof MEASURES)[number];

const WIDTH = 224;
const HEIGHT = 132;
const RIGHT = 68;
const TOP = 8;
const BOTTOM = 16;
const LABEL_HEIGHT = 13;

interface DriftPlotProps {
  readonly rounds: readonly DriftPoint[];
  /** Rounds that an audit followed. */
  readonly audits: readonly number[];
}

/** The drift of the pool: four lines, each labelled at its end (X11). */
export function DriftPlot({ rounds, audits }: DriftPlotProps) {
  const [hoveredRound, setHoveredRound] = useState<number>();
  const lines = useMemo(() => linesOf(rounds), [rounds]);
  const first = rounds[0]?.round ?? 1;
  const last = rounds.at(-1)?.round ?? 1;
  const x = (round: number) => ((round - first) / Math.max(1, last - first)) * (WIDTH - RIGHT - 4) + 2;
  const shown = rounds.find(({ round }) => round === hoveredRound) ?? rounds.at(-1);
  if (!shown) return <p className="soft">Nothing has been measured yet.</p>;
  const summary = MEASURES.map(({ name }) => `${name} ${formatMeasure(shown[name])}`).join(', ');
  return (
    <>
      <svg
        className="drift"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Drift over rounds ${first} to ${last}; in the last: ${summary}`}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          const ratio = (((event.clientX - left) / width) * WIDTH - 2) / (WIDTH - RIGHT - 4);
          setHoveredRound(Math.max(first, Math.min(last, Math.round(first + ratio * (last - first)))));
        }}
        onPointerLeave={() => setHoveredRound(undefined)}
      >
        <path className="axis" d={`M0 ${y(0)}H${WIDTH - RIGHT}M0 ${y(1)}H${WIDTH - RIGHT}`} />
        {audits
          .filter((round) => round >= first && round <= last)
          .map((round) => (
            <path key={round} className="audit-tick" d={`M${x(round).toFixed(1)} ${y(0)}v4`} />
          ))}
        {hoveredRound !== undefined && <path className="axis" d={`M${x(shown.round).toFixed(1)} ${TOP}V${y(0)}`} />}
        {lines.map(({ name, hue, dash, paths, end, label }) => (
          <g key={name} style={{ color: `var(--hue-${hue})` }}>
            {paths.map((path) => (
              <path key={path} className="drift-line" d={pathOf(path, x)} strokeDasharray={dash} />
            ))}
            {end && <circle cx={x(end.round)} cy={y(end.value)} r="2" fill="currentColor" />}
            {label !== undefined && (
              <text className="drift-name" x={WIDTH - RIGHT + 6} y={label + 4}>
                {name}
              </text>
            )}
          </g>
        ))}
        <text className="drift-scale" x="0" y={HEIGHT - 3}>
          round {first}
        </text>
        <text className="drift-scale" x={WIDTH - RIGHT} y={HEIGHT - 3} textAnchor="end">
          {last}
        </text>
      </svg>
      <dl className="figures" aria-label={`Measured in round ${shown.round}`}>
        {MEASURES.map(({ name, is }) => (
          <div key={name} title={is}>
            <dt>{name}</dt>
            <dd>{formatMeasure(shown[name])}</dd>
          </div>
        ))}
      </dl>
      <p className="soft small-print">in round {shown.round}; ticks below are audits</p>
    </>
  );
}

export function formatMeasure(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

interface PlotPoint {
  readonly round: number;
  readonly value: number;
}

/** Values are shares or distances; the rare ones above 1 are drawn at the top. */
function y(value: number): number {
  return TOP + (1 - Math.min(1, Math.max(0, value))) * (HEIGHT - TOP - BOTTOM);
}

function linesOf(rounds: readonly DriftPoint[]) {
  const lines = MEASURES.map((measure) => {
    const paths = segmentsOf(rounds, measure);
    return { ...measure, paths, end: paths.at(-1)?.at(-1) };
  });
  const labels = spreadLabels(lines.map(({ end }) => end && y(end.value)));
  return lines.map((line, i) => ({
    ...line,
    paths: line.paths.map((points) => points.map(({ round, value }) => `${round} ${value}`).join(' ')),
    label: labels[i],
  }));
}

/** Splits a line where there is no measurement. */
function segmentsOf(rounds: readonly DriftPoint[], { name }: DriftMeasure): readonly (readonly PlotPoint[])[] {
  const segments: PlotPoint[][] = [];
  let isOpen = false;
  for (const { round, [name]: value } of rounds) {
    if (value === null) isOpen = false;
    else if (isOpen) segments.at(-1)?.push({ round, value });
    else {
      segments.push([{ round, value }]);
      isOpen = true;
    }
  }
  return segments;
}

function pathOf(points: string, x: (round: number) => number): string {
  const numbers = points.split(' ').map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => {
    const [round = 0, value = 0] = numbers.slice(2 * i, 2 * i + 2);
    return `${i === 0 ? 'M' : 'L'}${x(round).toFixed(1)} ${y(value).toFixed(1)}`;
  }).join('');
}

/** Spreads the labels in the order of their lines, so that none overlap. */
function spreadLabels(positions: readonly (number | undefined)[]): readonly (number | undefined)[] {
  const sorted = positions
    .flatMap((position, i) => (position === undefined ? [] : [{ place: position, i }]))
    .sort((a, b) => a.place - b.place);
  const lowest = HEIGHT - BOTTOM - LABEL_HEIGHT * (sorted.length - 1);
  const tops: (number | undefined)[] = positions.map(() => undefined);
  let nextFree = TOP;
  sorted.forEach(({ place: position, i }, n) => {
    const top = Math.max(nextFree, Math.min(position, lowest + LABEL_HEIGHT * n));
    tops[i] = top;
    nextFree = top + LABEL_HEIGHT;
  });
  return tops;
}
