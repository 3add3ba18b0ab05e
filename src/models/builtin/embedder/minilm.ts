import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/worker-file.ts';
import type { EmbeddingVector, VectorSource } from '../../embedder.ts';
import type { EmbedderData, EmbedRequest, EmbedResult } from './worker.ts';

const EMBEDDER_NAME = 'all-MiniLM-L6-v2-q8';
const WORKER_FILE = workerFile(import.meta.url, './worker.ts', 'embedder.js');
/** Texts sent to the worker thread at a time; it serves other callers in between, so that all take turns (D25). */
const BATCH_SIZE = 8;

interface PendingEmbedding {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: Error): void;
}

/** Runs all-MiniLM-L6-v2 on its own thread, started at the first request and restarted if it ever exits. */
export function createMiniLm(data: EmbedderData): VectorSource {
  const pending = new Map<number, PendingEmbedding>();
  let worker: Worker | undefined;
  let lastId = 0;

  function startWorker(): Worker {
    const newWorker = new Worker(WORKER_FILE, { workerData: data });
    newWorker.on('message', ({ id, vectors }: EmbedResult) => {
      pending.get(id)?.resolve(vectors);
      pending.delete(id);
      // The thread keeps the process alive only while a request is pending.
      if (pending.size === 0) newWorker.unref();
    });
    newWorker.on('error', dropWorker);
    newWorker.on('exit', () => dropWorker(new Error('The thread of the embedder ended.')));
    return newWorker;
  }

  function dropWorker(error: Error): void {
    worker = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }

  function requestVectors(texts: readonly string[]): Promise<readonly Float32Array[]> {
    worker ??= startWorker();
    const currentWorker = worker;
    const request: EmbedRequest = { id: ++lastId, texts };
    return new Promise((resolve, reject) => {
      pending.set(request.id, { resolve, reject });
      currentWorker.ref();
      currentWorker.postMessage(request);
    });
  }

  return {
    async embed(texts) {
      const embedded: EmbeddingVector[] = [];
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        const vectors = await requestVectors(texts.slice(start, start + BATCH_SIZE));
        embedded.push(...vectors.map((values) => ({ embedder: EMBEDDER_NAME, values })));
      }
      return embedded;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
