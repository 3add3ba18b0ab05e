import { createWorkerCalls } from '../../../platform/worker-calls.ts';
import { workerFile } from '../../../platform/worker-file.ts';
import type { EmbeddingVector, VectorSource } from '../../embedder.ts';
import type { EmbedderData, EmbedRequest, EmbedResult } from './worker.ts';

const EMBEDDER_NAME = 'all-MiniLM-L6-v2-q8';
const WORKER_FILE = workerFile(import.meta.url, './worker.ts', 'embedder.js');
/** Texts sent to the worker thread at a time; it serves other callers in between, so that all take turns (D25). */
const BATCH_SIZE = 8;

/** Runs all-MiniLM-L6-v2 on its own thread. */
export function createMiniLm(data: EmbedderData): VectorSource {
  const { callWorker, runningWorker } = createWorkerCalls<Omit<EmbedRequest, 'id'>, EmbedResult>(
    WORKER_FILE,
    data,
    () => new Error('The embedder’s worker stopped.'),
  );
  return {
    async embed(texts) {
      const embedded: EmbeddingVector[] = [];
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        const { vectors } = await callWorker({ texts: texts.slice(start, start + BATCH_SIZE) });
        embedded.push(...vectors.map((values) => ({ embedder: EMBEDDER_NAME, values })));
      }
      return embedded;
    },
    async close() {
      await runningWorker()?.terminate();
    },
  };
}
