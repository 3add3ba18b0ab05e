import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { fuzzTail } from '../support/servers/tail-fuzz.ts';
import type { Fault } from './fault.ts';

const OPERATIONS = 100;

/** Clients come, go and come back while events are appended. */
export const tails: Fault = {
  name: 'tails',
  rules: '[L10]',
  slice: 20,
  full: 1000,
  async run(seeds, say) {
    for (let seed = 1; seed <= seeds; seed++) {
      await fuzzTail(seed, OPERATIONS, openMemoryLog());
      if (seed % 250 === 0) say(`seed ${seed} of ${seeds}`);
    }
    return `seeds 1–${seeds} × ${OPERATIONS} operations × 8 clients: the same gapless sequence for all`;
  },
};
