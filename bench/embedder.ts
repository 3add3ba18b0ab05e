import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';
import { MINILM } from '../src/models/builtin/weights/pinned.ts';
import { fetchPinned } from '../test/support/models/weights.ts';
import { type Figure, median, spent } from './measure.ts';

const TEXTS = 96;
const BATCH = 32;
const ROUNDS = 9;

/** How many short texts a second one thread embeds, and how long the first vector takes from nothing. */
export async function embedder(): Promise<Figure[]> {
  await fetchPinned(MINILM);
  const local = openEmbedder();
  // Eighteen tokens each.
  const texts = Array.from(
    { length: TEXTS },
    (_, i) => `Thought ${100 + i}: how a small idea slowly grows into a larger one over time.`,
  );
  const rates: { cpu: number; wall: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const took = await spent(async () => {
      for (let from = 0; from < TEXTS; from += BATCH) await local.embed(texts.slice(from, from + BATCH));
    });
    if (round > 0) rates.push({ cpu: TEXTS / took.cpuSeconds, wall: TEXTS / took.seconds });
  }
  await local.close();
  const starts = await firstVectors(5);
  return [
    {
      name: 'short texts embedded in a second of processor, one thread',
      goal: { atLeast: 120 },
      values: rates.map(({ cpu }) => cpu),
      note: `18 tokens each, in batches of ${BATCH}; by the clock ${median(rates.map(({ wall }) => wall)).toFixed(0)}, which is also up to what else the machine does`,
    },
    {
      name: 'seconds from opening the embedder to the first vector, in a new process',
      goal: { atMost: 1 },
      values: starts.map(({ ms }) => ms / 1000),
      note: `resident memory rose by ${median(starts.map(({ bytes }) => bytes / 1e6)).toFixed(0)} MB`,
    },
  ];
}

async function firstVectors(times: number): Promise<readonly { ms: number; bytes: number }[]> {
  const found: { ms: number; bytes: number }[] = [];
  for (let i = 0; i < times; i++) {
    const { stdout } = await promisify(execFile)(process.execPath, ['bench/first-vector.ts']);
    found.push(JSON.parse(stdout));
  }
  return found;
}
