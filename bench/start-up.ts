import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Figure, median, ratios } from './measure.ts';
import { withDirectory } from './scratch.ts';

const RUNS = 15;
const PROGRAM = 'bin/heddle.js';

/** From the shell's point of view: how long a command takes, against a Node that does nothing. */
export async function startUp(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const workspace = ['--workspace', join(directory, 'workspace')];
    run([PROGRAM, 'threads', 'new', 'Bench', ...workspace]);
    for (let i = 0; i < 20; i++) run([PROGRAM, 'post', 'Bench', `message ${i}`, ...workspace]);
    const nothing = () => time(['-e', '0']);
    const version = await ratios(5, () => time([PROGRAM, '--version']), nothing);
    const read = await ratios(5, () => time([PROGRAM, 'read', 'Bench', ...workspace]), nothing);
    return [
      {
        name: 'built heddle --version ÷ node -e 0',
        goal: { atMost: 1.3 },
        values: version.ratios,
        note: `${version.ours.toFixed(0)} ms ÷ ${version.floor.toFixed(0)} ms, Node ${process.version}, ${RUNS} runs a round`,
      },
      {
        name: 'built heddle read ÷ node -e 0',
        goal: { atMost: 2.5 },
        values: read.ratios,
        note: `${read.ours.toFixed(0)} ms ÷ ${read.floor.toFixed(0)} ms, a thread of 21 events, no server running`,
      },
    ];
  });
}

function time(args: readonly string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run(args);
    return performance.now() - start;
  });
  return median(times);
}

function run(args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
}
