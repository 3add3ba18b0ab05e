import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

interface More {
  readonly globalSetup?: string;
  readonly isolate?: boolean;
  readonly exclude?: string[];
}

const project = (name: string, include: string[], more: More = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
});

/** Files that share a process, as they leave nothing behind in it: no variable, no spy, no thread at work. */
const shared = { isolate: false };
/** Files that do. */
const ALONE = [
  'src/{agents,models}/**/*.test.ts',
  'src/cli/{threads/reader,logos/powers}.test.ts',
  'scripts/**/*.test.ts',
  'test/*.test.ts',
];

// `npm run fuzz` sets the number of runs, and then a test takes as long as it takes.
const fuzzing = process.env.HEDDLE_FUZZ_RUNS !== undefined;

export default defineConfig({
  test: {
    pool: 'forks',
    // Twice the cores of a small machine: a test of the page or of a whole server waits for half of its time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: fuzzing ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What is waited for comes when it comes: on a busy machine a second is not long.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      project('unit', ['src/**/*.test.ts'], {
        ...shared,
        exclude: ALONE,
        globalSetup: './test/support/stores/postgres-run.ts',
      }),
      project('alone', ALONE),
      project('web', ['web/**/*.test.{ts,tsx}'], shared),
      project('e2e', ['test/e2e/**/*.test.ts'], { ...shared, globalSetup: './test/support/browser.ts' }),
      project('attack', ['test/attack/**/*.test.ts']),
      project('faults', ['test/faults/**/*.test.ts'], { globalSetup: './test/support/browser.ts' }),
    ],
  },
});
