import type { Kernel } from '../kernel/kernel.ts';
import { cacheDirectory, fileIn } from '../weights/cache.ts';
import { MINILM } from '../weights/pinned.ts';
import { weightsReady } from '../weights/ready.ts';
import { createLexical } from './lexical.ts';
import { createMiniLm } from './minilm.ts';

/** Turns texts into directions: the nearer two of them, the more alike what the texts say. */
export interface Embedder {
  /** One vector for each text, in order. Equal texts have equal vectors, whenever and beside whatever they are asked. */
  embed(texts: readonly string[]): Promise<readonly Vector[]>;
  close(): Promise<void>;
}

/** Of length 1. Only vectors of one embedder can be compared. */
export interface Vector {
  readonly embedder: string;
  readonly values: Float32Array;
}

export interface EmbedderOptions {
  readonly cacheDir?: string;
  readonly kernel?: Kernel['name'];
}

/**
 * The embedder that is always there. Opening it costs nothing: weights are looked for and read at the first request, and
 * where there are none and none can be had, texts are compared by their words until it is opened again.
 */
export function openEmbedder({ cacheDir = cacheDirectory(), kernel }: EmbedderOptions = {}): Embedder {
  const [model, tokenizer] = MINILM.files.map((file) => fileIn(cacheDir, MINILM, file)) as [string, string];
  const ready = weightsReady(MINILM, cacheDir);
  let chosen: Promise<Embedder> | undefined;

  async function choose(): Promise<Embedder> {
    return (await ready()) ? createLexical() : createMiniLm({ model, tokenizer, ...(kernel && { kernel }) });
  }

  return {
    async embed(texts) {
      if (texts.length === 0) return [];
      chosen ??= choose();
      return (await chosen).embed(texts);
    },
    async close() {
      await (await chosen)?.close();
      chosen = undefined;
    },
  };
}
