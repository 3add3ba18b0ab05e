import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const project = (name: string, include: string[], more: { globalSetup?: string } = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
});

// `npm run fuzz` sets the number of runs, and then a test takes as long as it takes.
const fuzzing = process.env.HEDDLE_FUZZ_RUNS !== undefined;

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: fuzzing ? 3_600_000 : 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What is waited for comes when it comes: on a busy machine a second is not long.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      project('unit', ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/support/**/*.test.ts', 'test/*.test.ts'], {
        globalSetup: './test/support/postgres-run.ts',
      }),
      project('web', ['web/**/*.test.{ts,tsx}']),
      project('e2e', ['test/e2e/**/*.test.ts'], { globalSetup: './test/support/browser.ts' }),
      project('faults', ['test/faults/**/*.test.ts'], { globalSetup: './test/support/browser.ts' }),
    ],
  },
});
