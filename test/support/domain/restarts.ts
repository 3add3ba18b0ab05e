import { readFileSync } from 'node:fs';
import { divisionOf } from '../../../src/core/exchange/rounds/division.ts';
import { restartSignsOf } from '../../../src/core/exchange/rounds/restart-signs.ts';
import { DEFAULT_TERMS } from '../../../src/core/exchange/terms/defaults.ts';
import { createClusterIndex } from '../../../src/core/pool/clusters.ts';
import { addThoughts, assign, emptyPool } from '../../../src/core/pool/state.ts';
import { toUnitVector, type UnitVector } from '../../../src/core/pool/vectors.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import type { Embedder } from '../../../src/models/embedder.ts';

export interface History {
  readonly id: string;
  readonly kind: string;
  readonly restart: boolean;
  readonly iterations: readonly (readonly string[])[];
}

export function histories(half: 'tuning' | 'untouched'): readonly History[] {
  const file = new URL(`../../recordings/restarts/${half}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as History);
}

/** The iteration at which a history, played round by round as an exchange would be, asks for a restart. */
export async function firesAt({ iterations }: History, embedder: Embedder): Promise<number | undefined> {
  const clusters = createClusterIndex();
  const vectors = new Map<number, UnitVector>();
  let pool = emptyPool;
  for (const [i, texts] of iterations.entries()) {
    pool = addThoughts(
      pool,
      texts.map((text) => ({ iter: i + 1, text, author: 'mind_0' })),
    );
    const embedded = await embedder.embed(texts);
    if (isRefusal(embedded)) throw new Error(embedded.refusal.message);
    const before = pool.thoughts.length - texts.length;
    for (const [at, { values }] of embedded.entries()) vectors.set(before + at + 1, toUnitVector(values));
    pool = clusters.step(pool, (id) => vectors.get(id)).assignments.reduce(assign, pool);
    if (restartSignsOf(divisionOf(pool), DEFAULT_TERMS.restart, []).firing.length > 0) return i + 1;
  }
  return undefined;
}

/** One vector for a text, however often it is asked for. */
export function cacheVectors(embedder: Embedder): Embedder {
  const cache = new Map<string, Awaited<ReturnType<Embedder['embed']>>>();
  return {
    ...embedder,
    async embed(texts) {
      const embedded = [];
      for (const text of texts) {
        const vectors = cache.get(text) ?? (await embedder.embed([text]));
        if (isRefusal(vectors)) return vectors;
        cache.set(text, vectors);
        embedded.push(...vectors);
      }
      return embedded;
    },
  };
}
