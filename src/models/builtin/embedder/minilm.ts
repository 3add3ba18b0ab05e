import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/worker-file.ts';
import type { Vector, VectorSource } from '../../embedder.ts';
import type { EmbedderData, EmbedRequest, EmbedResult } from './worker.ts';

const NAME = 'all-MiniLM-L6-v2-q8';
const FILE = workerFile(import.meta.url, './worker.ts', 'embedder.js');
/** Texts sent to the thread at a time: between them it serves others who ask, so that all take turns (D25). */
const PORTION = 8;

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: Error): void;
}

/** all-MiniLM-L6-v2 on a thread of its own, started at the first request and again should it ever end. */
export function createMiniLm(data: EmbedderData): VectorSource {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let ids = 0;

  function start(): Worker {
    const started = new Worker(FILE, { workerData: data });
    started.on('message', ({ id, vectors }: EmbedResult) => {
      waiting.get(id)?.resolve(vectors);
      waiting.delete(id);
      // It keeps the program alive only while someone waits for it.
      if (waiting.size === 0) started.unref();
    });
    started.on('error', lose);
    started.on('exit', () => lose(new Error('The thread of the embedder ended.')));
    return started;
  }

  function lose(error: Error): void {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function ask(texts: readonly string[]): Promise<readonly Float32Array[]> {
    worker ??= start();
    const thread = worker;
    const request: EmbedRequest = { id: ++ids, texts };
    return new Promise((resolve, reject) => {
      waiting.set(request.id, { resolve, reject });
      thread.ref();
      thread.postMessage(request);
    });
  }

  return {
    async embed(texts) {
      const made: Vector[] = [];
      for (let from = 0; from < texts.length; from += PORTION) {
        const vectors = await ask(texts.slice(from, from + PORTION));
        made.push(...vectors.map((values) => ({ embedder: NAME, values })));
      }
      return made;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
