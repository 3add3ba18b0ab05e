import type { Chunk } from '../../model.ts';
import { createMasks } from '../generation/masks.ts';
import type { Work } from '../generation/plan.ts';
import { randomFor } from '../generation/random.ts';
import { createSampler } from '../generation/sampler.ts';
import type { Tokenizer } from '../generation/tokenizer.ts';
import { createWriter, type Writer } from '../generation/writer.ts';
import { type Cache, copyCache, LANES, type WorkingMemory } from './memory.ts';
import { createTransformer, type Lane, type Scores } from './transformer.ts';
import type { Weights } from './weights.ts';

/*
 * All requests of one thread, side by side. Each step takes every text one token further (a prompt, up to LANES tokens)
 * in as few passes over the weights as there are lanes for. Between two steps a request can come, or be called off.
 */
export interface Scheduler {
  start(id: number, work: Work, seed: number, send: (chunks: readonly Chunk[]) => void): void;
  cancel(id: number): void;
  /** Does one step; says whether there is more to do. */
  step(): boolean;
}

/** A text under way. */
interface Text {
  readonly cache: Cache;
  position: number;
  /** What the model has to read before anything can follow. */
  reading: number[];
  readonly follow: (scores: Scores) => void;
}

interface Job {
  readonly work: Work;
  readonly seed: number;
  readonly writers: readonly Writer[];
  texts: Text[];
  chunks: Chunk[];
  readonly caches: Cache[];
  readonly send: (chunks: readonly Chunk[]) => void;
}

export function createScheduler(weights: Weights, memory: WorkingMemory, tokenizer: Tokenizer): Scheduler {
  const transformer = createTransformer(weights, memory);
  const sampler = createSampler(weights.tokens);
  const masks = createMasks(tokenizer, weights.tokens.met);
  const freeCaches = [...memory.caches];
  const running = new Map<number, Job>();
  const waiting = new Map<number, Job>();

  function start(id: number, work: Work, seed: number, send: (chunks: readonly Chunk[]) => void): void {
    const chunks: Chunk[] = [];
    const writers = Array.from({ length: work.n }, (_, choice) =>
      createWriter(
        { ...work, choice },
        {
          tokenizer,
          masks,
          sample: sampler.draw,
          random: randomFor(seed, choice),
          send: (chunk) => job.chunks.push(chunk),
        },
      ),
    );
    const job: Job = { work, seed, writers, texts: [], chunks, caches: [], send };
    waiting.set(id, job);
  }

  /** Those that came first go first; each needs a cache for every choice. */
  function admit(): void {
    for (const [id, job] of waiting) {
      if (job.work.n > freeCaches.length) return;
      waiting.delete(id);
      running.set(id, job);
      job.caches.push(...freeCaches.splice(0, job.work.n));
      job.texts = [
        { cache: job.caches[0]!, position: 0, reading: [...job.work.tokens], follow: (scores) => spread(job, scores) },
      ];
    }
  }

  /** The prompt has been read: from here on every choice is a text of its own. */
  function spread(job: Job, scores: Scores): void {
    const { position } = job.texts[0]!;
    job.texts = job.writers.map((writer, choice) => {
      const cache = job.caches[choice]!;
      if (choice > 0) copyCache(job.caches[0]!, cache);
      const text: Text = {
        cache,
        position,
        reading: [],
        follow(next) {
          text.reading = [...writer.take(next)];
        },
      };
      text.follow(scores);
      return text;
    });
  }

  function step(): boolean {
    admit();
    const steps = [...running.values()]
      .flatMap((job) => job.texts)
      .flatMap((text) => {
        const read = text.reading.splice(0, LANES);
        return read.map((token, i) => ({ text, token, last: text.reading.length === 0 && i === read.length - 1 }));
      });
    for (let from = 0; from < steps.length; from += LANES) pass(steps.slice(from, from + LANES));
    for (const [id, job] of running) report(id, job);
    return running.size + waiting.size > 0;
  }

  function pass(steps: readonly { text: Text; token: number; last: boolean }[]): void {
    const lanes: Lane[] = steps.map(({ text, token }) => ({ cache: text.cache, position: text.position++, token }));
    transformer.step(lanes);
    const ready = lanes.map((_, lane) => lane).filter((lane) => steps[lane]!.last);
    if (ready.length === 0) return;
    for (const [i, scores] of transformer.scores(ready).entries()) steps[ready[i]!]!.text.follow(scores);
  }

  function report(id: number, job: Job): void {
    if (job.writers.every((writer) => writer.ended)) finish(id, job);
    if (job.chunks.length === 0) return;
    job.send(job.chunks);
    job.chunks = [];
  }

  function finish(id: number, { work, seed, writers, caches, chunks }: Job): void {
    running.delete(id);
    waiting.delete(id);
    freeCaches.push(...caches);
    const generatedTokens = writers.reduce((sum, writer) => sum + writer.generated, 0);
    const usage = { promptTokens: work.tokens.length, generatedTokens };
    chunks.push({ type: 'done', usage, seed, dropped: work.dropped });
  }

  function cancel(id: number): void {
    const job = running.get(id) ?? waiting.get(id);
    if (!job) return;
    for (const writer of job.writers) writer.cancel();
    report(id, job);
  }

  return { start, cancel, step };
}
