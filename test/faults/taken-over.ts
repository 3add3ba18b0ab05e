import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshSchema, startPostgres } from '../support/stores/postgres.ts';
import { type Fault, must } from './fault.ts';

interface Takeover {
  readonly name: string;
  readonly rules: string;
  /** What is counted, none of which may be missing or there twice. */
  readonly counted: string;
  /** Puts what servers need into their directory. */
  furnish?(directory: string): Promise<void>;
  /** Kills a server at work, waits for another to go on; in how many milliseconds it did, and how much was done. */
  once(url: string, directory: string): Promise<{ readonly took: number; readonly count: number }>;
}

const FULL = 10;
const SOON_MS = 10_000;

/** A server is killed at its work, again and again; another goes on with it, soon, and nothing is there twice. */
export function takenOver({ name, rules, counted, furnish, once }: Takeover): Fault {
  return {
    name,
    rules,
    slice: 1,
    full: FULL,
    async run(rounds, say) {
      const directory = await mkdtemp(join(tmpdir(), 'heddle-takeover-'));
      const server = await startPostgres();
      let slowest = 0;
      let count = 0;
      try {
        await furnish?.(directory);
        for (let round = 1; round <= rounds; round++) {
          const went = await once(freshSchema(server.url), directory);
          slowest = Math.max(slowest, went.took);
          count += went.count;
          say(`round ${round}: another went on after ${(went.took / 1000).toFixed(1)} s`);
        }
      } finally {
        await server.stop();
        await rm(directory, { recursive: true, force: true });
      }
      // Time is held to a figure only where nothing else runs: the slice shares its machine with other tests.
      must(rounds < FULL || slowest < SOON_MS, `a takeover took ${slowest.toFixed(0)} ms`);
      return `${rounds} killed servers: another went on within ${(slowest / 1000).toFixed(1)} s, ${count} ${counted} without gap or double`;
    },
  };
}
