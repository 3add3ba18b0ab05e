import { join } from 'node:path';
import { type Figure, ratios } from './measure.ts';
import { agent, append, fill, say, threadIn, withDirectory, withEngine } from './scratch.ts';

const LONG = 100_000;
const SHORT = 100;
const BATCHES = 40;
const BATCH = 50;

/** What an agent's post costs, its mute and pause check included, in a long thread and in a short one. */
export async function history(): Promise<Figure[]> {
  return withDirectory((directory) =>
    withEngine(join(directory, 'long.db'), (long) =>
      withEngine(join(directory, 'short.db'), async (short) => {
        const longThread = await threadIn(long);
        const shortThread = await threadIn(short);
        await fill(long, longThread, LONG);
        await fill(short, shortThread, SHORT);
        const cpu = async (engine: typeof long, thread: string) => {
          const start = process.cpuUsage();
          for (let i = 0; i < BATCHES; i++) {
            await Promise.all(Array.from({ length: BATCH }, () => append(engine, agent, say(thread))));
          }
          const used = process.cpuUsage(start);
          return (used.user + used.system) / (BATCHES * BATCH);
        };
        // The short thread is made anew each round, so that it stays short.
        const run = await ratios(
          15,
          () => cpu(long, longThread),
          async () => cpu(short, await threadIn(short)),
        );
        return [
          {
            name: "agent's post with mute and pause check, at 100k events ÷ at 100",
            goal: { atMost: 1.1 },
            values: run.ratios,
            note: `${run.ours.toFixed(1)} µs ÷ ${run.floor.toFixed(1)} µs of CPU, ${BATCHES * BATCH} posts a round`,
          },
        ];
      }),
    ),
  );
}
