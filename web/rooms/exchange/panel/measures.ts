export type MeasureName = 'diversity' | 'novelty' | 'dominance' | 'noise';

interface Measure {
  readonly label: string;
  /** What a value means, with the threshold at which it would mean something else. */
  tell(value: number): string;
}

export const MEASURES: Readonly<Record<MeasureName, Measure>> = {
  diversity: {
    label: 'Diversity',
    tell: (value) =>
      value < 0.4
        ? 'The thoughts repeat each other. From 0.40 on they cover different ground.'
        : 'The thoughts cover different ground. Below 0.40 they repeat each other.',
  },
  novelty: {
    label: 'Novelty',
    tell: (value) =>
      value < 0.3
        ? 'New thoughts repeat earlier ones. From 0.30 on they say something new.'
        : 'New thoughts say something new. Below 0.30 they repeat earlier ones.',
  },
  dominance: {
    label: 'Dominance',
    tell: (value) =>
      value > 0.5
        ? 'One theme outweighs all others. Up to 0.50 none does.'
        : 'No theme outweighs the others. Above 0.50 one of them does.',
  },
  noise: {
    label: 'Noise',
    tell: (value) =>
      value > 0.5
        ? 'Most thoughts belong to no cluster. Up to 0.50, most belong to one.'
        : 'Most thoughts belong to a cluster. Above 0.50, most belong to none.',
  },
};
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly MeasureName[];

interface MeasuredPoint {
  readonly round: number;
  readonly value: number | null;
}

/** The place of a round on a line of this width. */
export function measureX(rounds: readonly { readonly round: number }[], width: number): (round: number) => number {
  const [first, last] = [rounds[0]?.round ?? 1, rounds.at(-1)?.round ?? 1];
  return (round) => ((round - first) / Math.max(1, last - first)) * width;
}

/** The line through the measured points, broken where nothing was measured. */
export function linePath(
  points: readonly MeasuredPoint[],
  x: (round: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false;
  return points
    .map(({ round, value }) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const step = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${step}${x(round).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}
