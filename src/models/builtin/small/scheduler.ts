import type { Chunk } from '../../model.ts';
import { createMasks } from '../generation/masks.ts';
import type { GenerationPlan } from '../generation/plan.ts';
import { randomFor } from '../generation/random.ts';
import { createSampler } from '../generation/sampler.ts';
import type { Tokenizer } from '../generation/tokenizer.ts';
import { type ChoiceWriter, createWriter } from '../generation/writer.ts';
import { copyCache, type KeyValueCache, LANES, type WorkingMemory } from './memory.ts';
import { createTransformer, type Scores, type TransformerLane } from './transformer.ts';
import type { TransformerWeights } from './weights.ts';

/*
 * Runs all requests of one thread concurrently. Each step advances every text by one token (a prompt by up to LANES
 * tokens) in as few passes over the weights as the lanes allow. Requests can arrive or be cancelled between two
 * steps.
 */
export interface Scheduler {
  start(id: number, plan: GenerationPlan, seed: number, send: (chunks: readonly Chunk[]) => void): void;
  cancel(id: number): void;
  /** Performs one step; returns whether there is more to do. */
  step(): boolean;
}

/** A text in progress. */
interface ActiveText {
  readonly cache: KeyValueCache;
  position: number;
  /** Tokens the model must read before it can continue. */
  unread: number[];
  readonly onScores: (scores: Scores) => void;
}

interface GenerationJob {
  readonly plan: GenerationPlan;
  readonly seed: number;
  readonly writers: readonly ChoiceWriter[];
  texts: ActiveText[];
  chunks: Chunk[];
  readonly caches: KeyValueCache[];
  readonly send: (chunks: readonly Chunk[]) => void;
}

export function createScheduler(weights: TransformerWeights, memory: WorkingMemory, tokenizer: Tokenizer): Scheduler {
  const transformer = createTransformer(weights, memory);
  const sampler = createSampler(weights.tokens);
  const masks = createMasks(tokenizer, weights.tokens.trained);
  const freeCaches = [...memory.caches];
  const running = new Map<number, GenerationJob>();
  const queued = new Map<number, GenerationJob>();

  function start(id: number, plan: GenerationPlan, seed: number, send: (chunks: readonly Chunk[]) => void): void {
    const chunks: Chunk[] = [];
    const writers = Array.from({ length: plan.n }, (_, choice) =>
      createWriter(
        { ...plan, choice },
        {
          tokenizer,
          masks,
          sample: sampler.draw,
          random: randomFor(seed, choice),
          send: (chunk) => job.chunks.push(chunk),
        },
      ),
    );
    const job: GenerationJob = { plan, seed, writers, texts: [], chunks, caches: [], send };
    queued.set(id, job);
  }

  /** Admits requests in order of arrival; each needs a cache for every choice. */
  function admit(): void {
    for (const [id, job] of queued) {
      if (job.plan.n > freeCaches.length) return;
      queued.delete(id);
      running.set(id, job);
      job.caches.push(...freeCaches.splice(0, job.plan.n));
      job.texts = [
        {
          cache: job.caches[0]!,
          position: 0,
          unread: [...job.plan.tokens],
          onScores: (scores) => forkChoices(job, scores),
        },
      ];
    }
  }

  /** After the prompt is read, every choice becomes its own text. */
  function forkChoices(job: GenerationJob, scores: Scores): void {
    const { position } = job.texts[0]!;
    job.texts = job.writers.map((writer, choice) => {
      const cache = job.caches[choice]!;
      if (choice > 0) copyCache(job.caches[0]!, cache);
      const text: ActiveText = {
        cache,
        position,
        unread: [],
        onScores(nextScores) {
          text.unread = [...writer.advance(nextScores)];
        },
      };
      text.onScores(scores);
      return text;
    });
  }

  function step(): boolean {
    admit();
    const laneSteps = [...running.values()]
      .flatMap((job) => job.texts)
      .flatMap((text) => {
        const batch = text.unread.splice(0, LANES);
        return batch.map((token, i) => ({ text, token, last: text.unread.length === 0 && i === batch.length - 1 }));
      });
    for (let first = 0; first < laneSteps.length; first += LANES) runPass(laneSteps.slice(first, first + LANES));
    for (const [id, job] of running) sendChunks(id, job);
    return running.size + queued.size > 0;
  }

  function runPass(laneSteps: readonly { text: ActiveText; token: number; last: boolean }[]): void {
    const lanes: TransformerLane[] = laneSteps.map(({ text, token }) => ({
      cache: text.cache,
      position: text.position++,
      token,
    }));
    transformer.step(lanes);
    const readyLanes = lanes.map((_, lane) => lane).filter((lane) => laneSteps[lane]!.last);
    if (readyLanes.length === 0) return;
    for (const [i, scores] of transformer.scores(readyLanes).entries())
      laneSteps[readyLanes[i]!]!.text.onScores(scores);
  }

  function sendChunks(id: number, job: GenerationJob): void {
    if (job.writers.every((writer) => writer.hasEnded)) finish(id, job);
    if (job.chunks.length === 0) return;
    job.send(job.chunks);
    job.chunks = [];
  }

  function finish(id: number, { plan, seed, writers, caches, chunks }: GenerationJob): void {
    running.delete(id);
    queued.delete(id);
    freeCaches.push(...caches);
    const generatedTokens = writers.reduce((sum, writer) => sum + writer.generatedTokens, 0);
    const usage = { promptTokens: plan.tokens.length, generatedTokens };
    chunks.push({ type: 'done', usage, seed, dropped: plan.dropped });
  }

  function cancel(id: number): void {
    const job = running.get(id) ?? queued.get(id);
    if (!job) return;
    for (const writer of job.writers) writer.cancel();
    sendChunks(id, job);
  }

  return { start, cancel, step };
}
