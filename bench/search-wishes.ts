import { isRefusal } from '../src/core/refusal.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { SearchParams } from '../src/engine/search/search.ts';
import type { Figure } from './measure.ts';
import { COMMON, PHRASE, RARE } from './search-workspace.ts';

const TIMES = 15;

const wishes: Readonly<Record<string, Partial<SearchParams>>> = {
  'a word that stands in every text': { q: COMMON },
  'a word that stands in ten': { q: RARE },
  'words in a row': { q: `"${PHRASE}"` },
  'the common word, by one author, of one kind, in two months': {
    q: COMMON,
    from: 'p7',
    kinds: ['message'],
    after: Date.UTC(2026, 2, 1),
    before: Date.UTC(2026, 4, 1),
  },
  'the common word in one thread': { q: COMMON, thread: 't000123' },
  'the beginning of a word': { q: 'gar*' },
};

/** How long the first results of each wish take, in a store that has a million events. */
export async function answersOf(engine: Engine, store: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, wish] of Object.entries(wishes)) figures.push(await timed(engine, `${name}, in ${store}`, wish));
  return figures;
}

async function timed(engine: Engine, name: string, wish: Partial<SearchParams>): Promise<Figure> {
  const values: number[] = [];
  let hits = 0;
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    const answer = await engine.search({ q: '', limit: 20, ...wish });
    values.push(performance.now() - start);
    if (isRefusal(answer)) throw new Error(answer.refusal.message);
    hits = answer.hits.length;
  }
  if (hits === 0) throw new Error(`nothing was found: ${name}`);
  return { name: `ms to find ${name}`, goal: { atMost: 100 }, values, note: `${hits} hits in a million events` };
}
