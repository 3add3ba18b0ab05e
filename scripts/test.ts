// npm test [-- PATTERN…]: all checks and all tests, or only the tests whose path contains a pattern.
// Ends with one line of its own, summed over everything that ran.
import { startVitest } from 'vitest/node';
import { check, type Tally } from './check.ts';
import { openScratch } from './scratch.ts';

const scratch = openScratch();
process.env.TMPDIR = scratch.path;
const patterns = process.argv.slice(2);
const tallies: Tally[] = [];

if (patterns.length === 0) tallies.push(await check());
tallies.push(await runTests(patterns).catch(brokenRun));

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
scratch.remove();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function runTests(filters: string[]): Promise<Tally> {
  const vitest = await startVitest('test', filters, { run: true, watch: false });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  // A file that cannot be loaded, a hook that fails, an error outside any test: no test counts them.
  const parts = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  const broken = parts.filter((part) => part.errors().length > 0).length;
  const passed = count('passed');
  const failed = count('failed') + broken + vitest.state.getUnhandledErrors().length;
  await vitest.close();
  if (passed + failed > 0) return { passed, failed };
  console.error('No test ran: nothing was shown to work.');
  return { passed: 0, failed: 1 };
}

function brokenRun(error: unknown): Tally {
  console.error(error);
  return { passed: 0, failed: 1 };
}
