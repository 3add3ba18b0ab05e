import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { interruptSignal, withStopMessage } from '../output/progress.ts';
import { printTable } from '../output/table.ts';

interface BenchFigures {
  readonly streams: number;
  readonly first_token_ms: number;
  readonly tokens: number;
  /** The total of all streams, measured from the first token. */
  readonly tokens_per_second: number;
}

const MAX_TOKENS = 64;

/** Measures where the model runs, through the normal call path, so the usage counts. */
export async function bench(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const signal = interruptSignal();
  const { loadMs, figures } = await withStopMessage(
    withClient(cli, async (client) => {
      out.note('Loading, then one text, then three at once (Ctrl-C stops).');
      const { latency } = await client.models.test(name, { n: 1, max_tokens: 1 }, { signal });
      const results = [await measure(client, name, 1, signal), await measure(client, name, 3, signal)];
      return { loadMs: latency.totalMs, figures: results };
    }),
    'Stopped. Tokens used so far were counted.',
  );
  if (out.json) return out.value({ model: name, first_answer_ms: loadMs, figures });
  const rows = figures.map(({ streams, first_token_ms, tokens, tokens_per_second }) => [
    streams === 1 ? 'one text' : 'three at once',
    `${first_token_ms} ms`,
    `${tokens}`,
    `${tokens_per_second}`,
  ]);
  printTable(out, [['', 'first token', 'tokens', 'tokens/s'], ...rows]);
  out.line(out.colors.dim(`The first token, including loading: ${loadMs} ms.`));
}

async function measure(client: Client, name: string, n: number, signal: AbortSignal): Promise<BenchFigures> {
  const { usage, latency } = await client.models.test(name, { n, max_tokens: MAX_TOKENS, seed: 1 }, { signal });
  const first = latency.firstTokenMs ?? latency.totalMs;
  const seconds = Math.max(1, latency.totalMs - first) / 1000;
  const rate = Math.max(0, usage.generatedTokens - n) / seconds;
  return {
    streams: n,
    first_token_ms: first,
    tokens: usage.generatedTokens,
    tokens_per_second: Number(rate.toPrecision(3)),
  };
}
