// Everything that can be said about the code without running it. `npm run check` alone, or the first part of `npm test`.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const tool = (name: string) => `node_modules/.bin/${name}`;

const STEPS: readonly { readonly name: string; readonly run: readonly string[]; readonly mend: string }[] = [
  {
    name: 'format and lint',
    run: [tool('biome'), 'check', '--error-on-warnings', '.'],
    mend: 'npm run format mends most of it.',
  },
  { name: 'types', run: [tool('tsc'), '-p', '.'], mend: '' },
  { name: 'types of the core, which knows no platform', run: [tool('tsc'), '-p', 'src/core'], mend: '' },
  { name: 'types of the page', run: [tool('tsc'), '-p', 'web'], mend: '' },
  { name: 'types of the tests', run: [tool('tsc'), '-p', 'test'], mend: '' },
  { name: 'boundaries', run: ['scripts/boundaries.ts'], mend: 'docs/architecture.md says what may know what.' },
  {
    name: 'expressions that cannot stall',
    run: ['scripts/expressions.ts'],
    mend: 'Use methods of strings, begin with ^ or the y flag, or bound the repetition.',
  },
  { name: 'nothing unused', run: [tool('knip')], mend: 'Delete what is not used, or stop exporting it.' },
  {
    name: 'a lock file for every platform',
    run: ['scripts/check-lock.ts'],
    mend: 'Choose versions whose packages for every platform can be had, then run npm install.',
  },
  { name: 'docs in step', run: ['scripts/check-docs.ts'], mend: '' },
];

if (import.meta.main) {
  const { failed } = await check();
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Two steps at a time; what a step has to say is shown only when it fails. */
export async function check(): Promise<Tally> {
  const waiting = [...STEPS];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const start = performance.now();
      const { ok, output } = await run(step.run);
      console.log(`${ok ? '✓' : '✗'} ${step.name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
      if (ok) continue;
      failed += 1;
      console.log([output.trim(), step.mend].filter(Boolean).join('\n'));
    }
  };
  await Promise.all([work(), work()]);
  return { passed: STEPS.length - failed, failed };
}

async function run(words: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)));
  const [ok, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { ok, output: out + errors };
}
