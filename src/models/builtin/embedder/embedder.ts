import { refuse } from '../../../core/refusal.ts';
import type { Embedder, VectorSource } from '../../embedder.ts';
import { LEXICAL } from '../../lexical-embedder.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cacheDirectory, fileIn } from '../weights/cache.ts';
import { MINILM } from '../weights/pinned.ts';
import { weightsReady } from '../weights/ready.ts';
import { createMiniLm } from './minilm.ts';

export interface EmbedderOptions {
  readonly cacheDir?: string;
  readonly kernel?: Kernel['name'];
}

/**
 * The embedder that is always there. Opening it costs nothing: weights are looked for and read at the first request, and
 * where there are none, texts are compared by their words until it is closed.
 */
export function openEmbedder({ cacheDir = cacheDirectory(), kernel }: EmbedderOptions = {}): Embedder {
  const [model, tokenizer] = MINILM.files.map((file) => fileIn(cacheDir, MINILM, file)) as [string, string];
  const ready = weightsReady(MINILM, cacheDir);
  let chosen: Promise<VectorSource> | undefined;

  async function choose(): Promise<VectorSource> {
    return (await ready()) ? LEXICAL : createMiniLm({ model, tokenizer, ...(kernel && { kernel }) });
  }

  return {
    id: 'local',
    dimensions: 384,
    async embed(texts) {
      if (texts.length === 0) return [];
      chosen ??= choose();
      const source = await chosen;
      return source.embed(texts).catch(broken);
    },
    async close() {
      const source = chosen;
      chosen = undefined;
      await (await source)?.close();
    },
  };
}

function broken(error: Error) {
  return refuse('model_unavailable', `The embedder stopped: ${error.message} The next request starts it again.`);
}
