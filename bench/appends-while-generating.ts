import { join } from 'node:path';
import { STORIES } from '../src/models/builtin/weights/pinned.ts';
import { fetchPinned } from '../test/support/models/weights.ts';
import { post } from './load.ts';
import { type Figure, median } from './measure.ts';
import { type ModelsServer, startModelsServer } from './models-child.ts';
import { withDirectory } from './scratch.ts';

const ROUNDS = 7;
/** The two take turns within a round, so that whatever else the machine does meets both. */
const TURNS = 8;
const POSTS = 100;

/** Whether anyone who writes notices that the model inside is writing too: the slowest appends, over HTTP on a file. */
export async function appendsWhileGenerating(): Promise<Figure[]> {
  await fetchPinned(STORIES);
  return withDirectory(async (directory) => {
    const server = await startModelsServer(join(directory, 'ours.db'));
    await turn(server);
    const rounds: Turn[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const turns: Turn[] = [];
      for (let j = 0; j < TURNS; j++) turns.push(await turn(server));
      rounds.push({ busy: turns.flatMap(({ busy }) => busy), idle: turns.flatMap(({ idle }) => idle) });
    }
    await server.stop();
    const of = (which: keyof Turn, share: number) =>
      `${median(rounds.map((round) => at(round[which], share))).toFixed(2)} ms`;
    return [
      {
        name: 'append p99 while the embedded model generates ÷ idle',
        goal: { atMost: 1.5 },
        values: rounds.map(({ busy, idle }) => at(busy, 0.99) / at(idle, 0.99)),
        note:
          `${of('busy', 0.99)} ÷ ${of('idle', 0.99)}, medians ${of('busy', 0.5)} and ${of('idle', 0.5)}; ` +
          `${TURNS * POSTS} appends each a round, one after the other, three texts generated side by side`,
      },
    ];
  });
}

interface Turn {
  readonly busy: readonly number[];
  readonly idle: readonly number[];
}

async function turn(server: ModelsServer): Promise<Turn> {
  const idle = await post(server, POSTS, 1);
  await server.tell('generate');
  const busy = await post(server, POSTS, 1);
  await server.tell('rest');
  return { busy, idle };
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
