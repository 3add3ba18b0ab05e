import { driftView } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { numberIn } from '../../output/numbers.ts';
import { table } from '../../output/table.ts';
import { mean, sparkline } from '../charts/sparkline.ts';
import { lineChart } from '../charts/svg.ts';
import { withExchange } from '../reader.ts';

export const MEASURES = ['diversity', 'novelty', 'dominance', 'noise'] as const;
const ABOUT = {
  diversity: 'how far thoughts are from each other',
  novelty: 'how far new ones are from what was there',
  dominance: 'what the largest cluster has of the pool',
  noise: 'what has no cluster',
} as const;
const LATEST = 1000;
const ROWS = 10;

interface Options {
  readonly svg?: boolean;
  readonly last?: string;
}

export const declare: Declare = (command, start) =>
  command
    .option('--svg', 'a drawing: each measure as a line, over the rounds')
    .option('--last <n>', 'only the last so many rounds')
    .addHelpText('after', examples('logos drift', 'logos drift --last 50 --json', 'logos drift --svg > drift.svg'))
    .action((options: Options) => drift(start(), options));

function drift(cli: Cli, { svg, last }: Options): Promise<void> {
  const { out } = cli;
  const latest = last === undefined ? LATEST : numberIn(last, 'rounds');
  return withExchange(cli, ({ title, exchange }) => {
    const { rounds } = driftView(exchange, latest);
    const series = MEASURES.map((name) => ({ name, values: rounds.map((row) => row[name]) }));
    if (svg) {
      const numbers = rounds.map(({ round }) => round);
      const text = lineChart(`Drift of “${title}”`, numbers, series);
      return out.json ? out.value({ svg: text }) : out.line(text);
    }
    if (out.json) return out.value({ rounds });
    if (rounds.length === 0) return out.note('No round is over yet. Let the minds think: logos run 5');
    const { dim } = out.colors;
    const head = ['', 'now', 'mean', 'low', 'high', `rounds ${rounds[0]?.round} to ${rounds.at(-1)?.round}`];
    const rows = series.map(({ name, values }) => [...summary(name, values), sparkline(values, out.width - 44)]);
    for (const line of table([head, ...rows], out.width, (cell, column) => (column === 5 ? cell : dim(cell))))
      out.line(line);
    out.line();
    for (const name of MEASURES) out.line(dim(`${name.padEnd(9)}  ${ABOUT[name]}`));
    out.line();
    const cells = rounds.slice(-ROWS).map((row) => [String(row.round), ...MEASURES.map((name) => figure(row[name]))]);
    for (const line of table([['round', ...MEASURES], ...cells], out.width)) out.line(line);
  });
}

function summary(name: string, values: readonly (number | null)[]): readonly string[] {
  const known = values.filter((value) => value !== null);
  const [low, high] = known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)];
  return [name, ...[values.at(-1) ?? null, mean(values), low, high].map(figure)];
}

export function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
