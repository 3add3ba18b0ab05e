import { join } from 'node:path';
import { MINILM, STORIES } from '../src/models/builtin/weights/pinned.ts';
import { fetchPinned } from '../test/support/models/weights.ts';
import { startServer } from './child.ts';
import { post } from './load.ts';
import { type Figure, median } from './measure.ts';
import { startModelsServer } from './models-child.ts';
import { withDirectory } from './scratch.ts';

const ROUNDS = 5;
const POSTS = 300;
const MB = 1e6;

/** What the models add to a server's memory: next to nothing until they are used, and so much when both are. */
export async function modelMemory(): Promise<Figure[]> {
  await Promise.all([fetchPinned(STORIES), fetchPinned(MINILM)]);
  const rounds = await withDirectory(async (directory) => {
    const found: Round[] = [];
    for (let i = 0; i < ROUNDS; i++) found.push(await round(join(directory, `${i}`)));
    return found;
  });
  const bare = median(rounds.map((one) => one.bare));
  return [
    {
      name: 'MB that models add to a server which does not use them',
      goal: { atMost: 15 },
      values: rounds.map((one) => (one.unused - one.bare) / MB),
      note: `resident, to ${(bare / MB).toFixed(0)} MB, after ${POSTS} appends; it is their code`,
    },
    {
      name: 'MB that both models add to a server while they work',
      goal: { atMost: 500 },
      values: rounds.map((one) => (one.used - one.bare) / MB),
      note: 'resident, three texts being generated and one embedded',
    },
  ];
}

interface Round {
  readonly bare: number;
  readonly unused: number;
  readonly used: number;
}

async function round(path: string): Promise<Round> {
  const without = await startServer('bench/server.ts', [`${path}-bare.db`]);
  await post(without, POSTS, 1);
  const { rss: bare } = await without.used();
  await without.stop();
  const server = await startModelsServer(`${path}.db`);
  await post(server, POSTS, 1);
  const { rss: unused } = await server.tell('rest');
  await server.tell('generate');
  await server.tell('embed');
  await post(server, POSTS, 1);
  const { rss: used } = await server.tell('rest');
  await server.stop();
  return { bare, unused, used };
}
