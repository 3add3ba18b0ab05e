// npm run fuzz [-- PATTERN…]: the property and fuzz tests, with many more runs than `npm test` gives them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

process.env.HEDDLE_FUZZ_RUNS ??= '1000';
const patterns = process.argv.slice(2);
const vitest = await startVitest('test', patterns.length > 0 ? patterns : fuzzTests(), { run: true, watch: false });
await vitest.close();

/** Those that ask how often to run. */
function fuzzTests(): string[] {
  return ['src', 'web', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => /\.test\.tsx?$/.test(path))
      .filter((path) => /\b(fuzzRuns|HEDDLE_FUZZ_RUNS)\b/.test(readFileSync(path, 'utf8'))),
  );
}
