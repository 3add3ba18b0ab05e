import { readFileSync } from 'node:fs';
import { divisionOf } from '../../src/core/exchange/rounds/division.ts';
import { signsOf } from '../../src/core/exchange/rounds/restart-signs.ts';
import { DEFAULTS } from '../../src/core/exchange/terms/defaults.ts';
import { openClusters } from '../../src/core/pool/clusters.ts';
import { addThoughts, assign, emptyPool } from '../../src/core/pool/state.ts';
import { type Vector, vectorFrom } from '../../src/core/pool/vectors.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Embedder } from '../../src/models/embedder.ts';

export interface History {
  readonly id: string;
  readonly kind: string;
  readonly restart: boolean;
  readonly iterations: readonly (readonly string[])[];
}

export function histories(half: 'tuning' | 'untouched'): readonly History[] {
  const file = new URL(`../recordings/restarts/${half}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as History);
}

/** The iteration at which a history, played round by round as an exchange would be, asks for a restart. */
export async function firesAt({ iterations }: History, embedder: Embedder): Promise<number | undefined> {
  const clusters = openClusters();
  const vectors = new Map<number, Vector>();
  let pool = emptyPool;
  for (const [i, texts] of iterations.entries()) {
    pool = addThoughts(
      pool,
      texts.map((text) => ({ iter: i + 1, text, author: 'mind_0' })),
    );
    const made = await embedder.embed(texts);
    if (isRefusal(made)) throw new Error(made.refusal.message);
    const before = pool.thoughts.length - texts.length;
    for (const [at, { values }] of made.entries()) vectors.set(before + at + 1, vectorFrom(values));
    pool = clusters.step(pool, (id) => vectors.get(id)).assignments.reduce(assign, pool);
    if (signsOf(divisionOf(pool), DEFAULTS.restart, []).firing.length > 0) return i + 1;
  }
  return undefined;
}

/** One vector for a text, however often it is asked for. */
export function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Awaited<ReturnType<Embedder['embed']>>>();
  return {
    ...embedder,
    async embed(texts) {
      const made = [];
      for (const text of texts) {
        const vectors = known.get(text) ?? (await embedder.embed([text]));
        if (isRefusal(vectors)) return vectors;
        known.set(text, vectors);
        made.push(...vectors);
      }
      return made;
    },
  };
}
