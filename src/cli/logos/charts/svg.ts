import { oneLine, shorten } from '../../output/text.ts';

/* SVG plots that any browser opens, without scripts. All text from participants is escaped. */
const WIDTH = 720;
const LEFT = 48;
const RIGHT = 16;
/** Each line also has its own dash pattern, so that lines differ without colour. */
const COLORS = ['#0b62a4', '#c4501b', '#2a7f3f', '#7a3fa0', '#8a6d00', '#555555'] as const;
const DASHES = ['', '6 3', '2 3', '9 3 2 3', '12 4', '1 2'] as const;

export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Lines over rounds. */
export function lineChart(title: string, rounds: readonly number[], series: readonly ChartSeries[]): string {
  const height = 320;
  const [top, bottom] = [64, height - 36];
  const max = Math.max(0.1, ...series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const scale = Math.ceil(max * 10) / 10;
  const x = xScale(rounds.length);
  const y = (value: number) => bottom - (value / scale) * (bottom - top);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * scale).toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#ddd"/>${label(LEFT - 6, Number(at) + 4, (part * scale).toFixed(2), 'end')}`;
  });
  const lines = series.map(({ name, values }, i) => {
    const stroke = `stroke="${COLORS[i % COLORS.length]}" stroke-dasharray="${DASHES[i % DASHES.length]}"`;
    const legend = LEFT + i * 160;
    return `<path d="${pathOf(values, x, y)}" fill="none" ${stroke} stroke-width="2" stroke-linecap="round"/><line x1="${legend}" x2="${legend + 28}" y1="44" y2="44" ${stroke} stroke-width="2"/>${label(legend + 34, 48, name)}`;
  });
  return svgDocument(title, height, [...ticks, ...lines, ...roundLabels(rounds, x, height - 14)]);
}

export interface ChartLane {
  readonly name: string;
  /** How many thoughts in each round. */
  readonly counts: readonly number[];
}

/** A lane for each cluster, with a dot where a round added to it. */
export function laneChart(title: string, rounds: readonly number[], lanes: readonly ChartLane[]): string {
  const [top, row] = [52, 40];
  const height = top + lanes.length * row + 32;
  const x = xScale(rounds.length);
  const max = Math.max(1, ...lanes.flatMap(({ counts }) => counts));
  const parts = lanes.map(({ name, counts }, i) => {
    const y = top + i * row + 28;
    const dots = counts.map((count, index) =>
      count === 0
        ? ''
        : `<circle cx="${x(index).toFixed(1)}" cy="${y}" r="${(2 + 6 * Math.sqrt(count / max)).toFixed(1)}" fill="${COLORS[i % COLORS.length]}" fill-opacity="0.7"/>`,
    );
    const line = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
    return `${label(LEFT, y - 12, shorten(oneLine(name), 90))}${line}${dots.join('')}`;
  });
  return svgDocument(title, height, [...parts, ...roundLabels(rounds, x, height - 10)]);
}

function svgDocument(title: string, height: number, parts: readonly string[]): string {
  const name = escapeXml(oneLine(title));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>${name}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="24" font-size="15" fill="#222">${escapeXml(shorten(oneLine(title), 80))}</text>
${parts.join('\n')}
</svg>`;
}

function xScale(count: number): (index: number) => number {
  const step = count < 2 ? 0 : (WIDTH - LEFT - RIGHT) / (count - 1);
  return (index) => LEFT + index * step;
}

/** A missing value is a gap in the line. A single value is drawn as a point. */
function pathOf(values: ChartSeries['values'], x: (at: number) => number, y: (value: number) => number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const startsSegment = index === 0 || values[index - 1] === null;
      const point = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      return startsSegment ? `M${point}h0` : `L${point}`;
    })
    .join('');
}

function roundLabels(rounds: readonly number[], x: (at: number) => number, y: number): readonly string[] {
  const last = rounds.length - 1;
  const labelIndexes = [...new Set([0, Math.round(last / 2), last])].filter((at) => at >= 0);
  return labelIndexes.map((index) => {
    const anchor = index === 0 ? 'start' : index === last ? 'end' : 'middle';
    return label(x(index), y, `${index === 0 ? 'round ' : ''}${rounds[index]}`, anchor);
  });
}

function label(x: number, y: number, text: string, anchor = 'start'): string {
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" fill="#444">${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`);
}
