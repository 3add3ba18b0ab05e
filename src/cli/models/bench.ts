import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { orStopped, untilInterrupted } from '../output/progress.ts';
import { table } from '../output/table.ts';

interface Figures {
  readonly streams: number;
  readonly first_token_ms: number;
  readonly tokens: number;
  /** Of all streams together, from the first token on. */
  readonly tokens_per_second: number;
}

const TOKENS = 64;

/** Measured where the model runs and through the same door as everything else, so its use counts. */
export async function bench(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const signal = untilInterrupted();
  const { loadMs, figures } = await orStopped(
    withClient(cli, async (client) => {
      out.note('Loading, then one text, then three at once (Ctrl-C stops).');
      const { latency } = await client.models.test(name, { n: 1, max_tokens: 1 }, { signal });
      const each = [await measure(client, name, 1, signal), await measure(client, name, 3, signal)];
      return { loadMs: latency.totalMs, figures: each };
    }),
    'Stopped. What had come was counted.',
  );
  if (out.json) return out.value({ model: name, first_answer_ms: loadMs, figures });
  const rows = figures.map(({ streams, first_token_ms, tokens, tokens_per_second }) => [
    streams === 1 ? 'one text' : 'three at once',
    `${first_token_ms} ms`,
    `${tokens}`,
    `${tokens_per_second}`,
  ]);
  for (const line of table([['', 'first token', 'tokens', 'tokens/s'], ...rows], out.width)) out.line(line);
  out.line(out.colors.dim(`The very first token, with loading: ${loadMs} ms.`));
}

async function measure(client: Client, name: string, n: number, signal: AbortSignal): Promise<Figures> {
  const { usage, latency } = await client.models.test(name, { n, max_tokens: TOKENS, seed: 1 }, { signal });
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
