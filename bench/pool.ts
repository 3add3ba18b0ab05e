import { createClusterIndex } from '../src/core/pool/clusters.ts';
import { SAMPLE_LIMITS, sampleThoughts } from '../src/core/pool/sample.ts';
import { addThoughts, emptyPool, type ThoughtPool } from '../src/core/pool/state.ts';
import { toUnitVector, type UnitVector } from '../src/core/pool/vectors.ts';
import { isRefusal } from '../src/core/refusal.ts';
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';
import { MINILM } from '../src/models/builtin/weights/pinned.ts';
import {
  agreement,
  applyProposal,
  drawTopics,
  fullDensity,
  labelsOf,
  streamThoughts,
  type Topics,
  topicSets,
} from '../test/support/domain/clusters.ts';
import { fetchPinned } from '../test/support/models/weights.ts';
import { type Figure, ratios } from './measure.ts';
import { sentences } from './sentences.ts';

/** More than one round of everything that is not done at every step. */
const STEPS = 130;
const AT_ONCE = 3;

/** What it costs to find where new thoughts belong, and how well it agrees with looking at everything at once. */
export async function pool(): Promise<Figure[]> {
  return [stepAgainstFull(10_000), await stepByTotal(), onDrawnSets(), await onSentences()];
}

/** A quarter of the thoughts are noise, the others on topics of fifty. Full clustering of 10k takes a minute or two. */
function stepAgainstFull(active: number): Figure {
  const topics = Array.from({ length: Math.ceil((active * 0.75) / 50) }, () => ({
    size: 50,
    stray: 0.8,
    directions: 60,
  }));
  const vectors = drawTopics({ topics, noise: active / 4 }, 7000);
  const mind = thinking(vectors, active, active);
  mind.steps(20);
  const step = mind.steps(STEPS) / STEPS;
  const start = performance.now();
  fullDensity(vectors.slice(0, active));
  const full = performance.now() - start;
  return {
    name: `a pool step at ${active / 1000}k active thoughts ÷ full density clustering`,
    goal: { atMost: 0.01 },
    values: [step / full],
    note: `sample, place and fold ${AT_ONCE} thoughts: ${step.toFixed(2)} ms; full: ${(full / 1000).toFixed(1)} s, once`,
  };
}

async function stepByTotal(): Promise<Figure> {
  const topics = Array.from({ length: 40 }, () => ({ size: 40, stray: 0.8, directions: 60 }));
  const vectors = drawTopics({ topics, noise: 400 }, 7100);
  const [long, short] = [thinking(vectors, 50, 100_000), thinking(vectors, 50, 2000)];
  const measured = await ratios(
    9,
    () => long.steps(STEPS),
    () => short.steps(STEPS),
  );
  return {
    name: 'a pool step after 100k thoughts ÷ after 2k, 50 of them active',
    goal: { atMost: 1.1 },
    values: measured.ratios,
    note: `${(measured.ours / STEPS).toFixed(3)} ms against ${(measured.floor / STEPS).toFixed(3)} ms`,
  };
}

function onDrawnSets(): Figure {
  const found = topicSets(1000, 7200).map(({ name, vectors }) => ({ name, value: agreementOn(vectors) }));
  return {
    name: 'the worst agreement (ARI) with full HDBSCAN on five drawn sets',
    goal: { atLeast: 0.95 },
    values: [Math.min(...found.map(({ value }) => value))],
    note: found.map(({ name, value }) => `${name}: ${value.toFixed(3)}`).join('; '),
  };
}

async function onSentences(): Promise<Figure> {
  await fetchPinned(MINILM);
  const embedder = openEmbedder();
  const made = await embedder.embed(sentences().map(({ text }) => text));
  await embedder.close();
  if (isRefusal(made)) throw new Error(made.refusal.message);
  const vectors = made.map(({ values }) => toUnitVector(values));
  const names = [...new Set(sentences().map(({ topic }) => topic))];
  const topics = sentences().map(({ topic }) => names.indexOf(topic));
  const against = (labels: readonly number[]): string => agreement(labels, topics).toFixed(2);
  return {
    name: 'agreement (ARI) with full HDBSCAN on 300 sentences, reported',
    goal: { atLeast: 0 },
    values: [agreementOn(vectors)],
    note: `with the topics they were written on: full ${against(fullDensity(vectors))}, ours ${against(labelsOf(streamThoughts(vectors)))}, ours with 50 active ${against(labelsOf(streamThoughts(vectors, 50)))}; ${made[0]?.embedder}`,
  };
}

function agreementOn(vectors: Topics['vectors']): number {
  return agreement(labelsOf(streamThoughts(vectors)), fullDensity(vectors));
}

/** A mind that thinks what it is given, round and round; made with so many thoughts behind it. */
function thinking(vectors: readonly UnitVector[], activeSize: number, past: number) {
  const clusters = createClusterIndex();
  let pool: ThoughtPool = { ...emptyPool, activeSize };
  let iter = 0;
  const think = (count: number): void => {
    iter++;
    sampleThoughts(pool, { seed: iter, iter, ...SAMPLE_LIMITS });
    pool = addThoughts(
      pool,
      Array.from({ length: count }, () => ({ iter, text: `A thought of iteration ${iter}.`, author: 'mind' })),
    );
    pool = applyProposal(
      pool,
      clusters.step(pool, (thought) => vectors[(thought - 1) % vectors.length]),
    );
  };
  while (pool.thoughts.length < past) think(Math.min(50, past - pool.thoughts.length));
  return {
    steps(count: number): number {
      const start = performance.now();
      for (let i = 0; i < count; i++) think(AT_ONCE);
      return performance.now() - start;
    },
  };
}
