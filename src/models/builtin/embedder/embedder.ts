import { refuse } from '../../../core/refusal.ts';
import type { Embedder, VectorSource } from '../../embedder.ts';
import { LEXICAL } from '../../lexical-embedder.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cacheDirectory, cachedFilePath } from '../weights/cache.ts';
import { MINILM } from '../weights/pinned.ts';
import { createWeightsCheck } from '../weights/ready.ts';
import { createMiniLm } from './minilm.ts';

export interface EmbedderOptions {
  readonly cacheDir?: string;
  readonly kernel?: Kernel['name'];
}

/**
 * The embedder that is always available. Opening it costs nothing: it looks for its weights and reads them at the
 * first request. If there are none, it compares texts by their words until it is closed.
 */
export function openEmbedder({ cacheDir = cacheDirectory(), kernel }: EmbedderOptions = {}): Embedder {
  const [model, tokenizer] = MINILM.files.map((file) => cachedFilePath(cacheDir, MINILM, file)) as [string, string];
  const checkWeights = createWeightsCheck(MINILM, cacheDir);
  let chosen: Promise<VectorSource> | undefined;

  async function chooseSource(): Promise<VectorSource> {
    return (await checkWeights()) ? LEXICAL : createMiniLm({ model, tokenizer, ...(kernel && { kernel }) });
  }

  return {
    id: 'local',
    dimensions: 384,
    async embed(texts) {
      if (texts.length === 0) return [];
      chosen ??= chooseSource();
      const source = await chosen;
      return source.embed(texts).catch(refuseBroken);
    },
    async close() {
      const source = chosen;
      chosen = undefined;
      await (await source)?.close();
    },
  };
}

function refuseBroken(error: Error) {
  return refuse('model_unavailable', `The embedder stopped: ${error.message} The next request starts it again.`);
}
