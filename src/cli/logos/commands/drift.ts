import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { printTable } from '../../output/table.ts';
import { withCurrentThread } from '../../threads/reader.ts';
import { mean, sparkline } from '../charts/sparkline.ts';
import { lineChart } from '../charts/svg.ts';

export const DRIFT_MEASURES = ['diversity', 'novelty', 'dominance', 'noise'] as const;
const MEASURE_HELP = {
  diversity: 'how far thoughts are from each other',
  novelty: 'how far new thoughts are from earlier ones',
  dominance: 'the share of the largest cluster in the pool',
  noise: 'the share of thoughts in no cluster',
} as const;
const MAX_ROUNDS = 1000;
const MAX_ROWS = 10;

interface LogosDriftOptions {
  readonly svg?: boolean;
  readonly last?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--svg', 'a drawing: each measure as a line, over the rounds')
    .option('--last <n>', 'only the last N rounds')
    .examples('logos drift', 'logos drift --last 50 --json', 'logos drift --svg > drift.svg')
    .run(drift);

function drift(cli: Cli, { svg, last }: LogosDriftOptions): Promise<void> {
  const { out } = cli;
  const maxRounds = last === undefined ? MAX_ROUNDS : parseNumber(last, 'rounds');
  return withCurrentThread(cli, async ({ exchange }, { title }) => {
    const { rounds } = await exchange.drift({ latest: maxRounds });
    const series = DRIFT_MEASURES.map((name) => ({ name, values: rounds.map((row) => row[name]) }));
    if (svg) {
      const numbers = rounds.map(({ round }) => round);
      const text = lineChart(`Drift of “${title}”`, numbers, series);
      return out.json ? out.value({ svg: text }) : out.line(text);
    }
    if (out.json) return out.value({ rounds });
    if (rounds.length === 0) return out.note('No round is complete yet. Run some: logos run 5');
    const { dim } = out.colors;
    const head = ['', 'now', 'mean', 'low', 'high', `rounds ${rounds[0]?.round} to ${rounds.at(-1)?.round}`];
    const rows = series.map(({ name, values }) => [...summaryRow(name, values), sparkline(values, out.width - 44)]);
    printTable(out, [head, ...rows], 5);
    out.line();
    for (const name of DRIFT_MEASURES) out.line(dim(`${name.padEnd(9)}  ${MEASURE_HELP[name]}`));
    out.line();
    const cells = rounds
      .slice(-MAX_ROWS)
      .map((row) => [String(row.round), ...DRIFT_MEASURES.map((name) => formatFigure(row[name]))]);
    printTable(out, [['round', ...DRIFT_MEASURES], ...cells]);
  });
}

function summaryRow(name: string, values: readonly (number | null)[]): readonly string[] {
  const numbers = values.filter((value) => value !== null);
  const [low, high] = numbers.length === 0 ? [null, null] : [Math.min(...numbers), Math.max(...numbers)];
  return [name, ...[values.at(-1) ?? null, mean(values), low, high].map(formatFigure)];
}

export function formatFigure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
