import { isRefusal } from '../src/core/refusal.ts';
import { importLooms } from '../src/formats/loom/import.ts';
import type { LoomTree, TreeNode } from '../src/formats/loom/tree.ts';
import { writeSocketteer } from '../src/formats/loom/write/socketteer.ts';
import { type Figure, ratios } from './measure.ts';

const NODES = 1_000;
const BYTES = 2_000_000;
const DEEP = 1_000_000;

/** A tree from the Python loom, against JSON.parse of the same text; then a line of a million nodes, there and back. */
export async function loomImport(): Promise<Figure[]> {
  const nested = nestedFile();
  let lost = NODES;
  const {
    ratios: values,
    ours,
    floor,
  } = await ratios(
    15,
    () => timed(() => (lost = NODES - imported(nested).nodes.length)),
    () => timed(() => JSON.parse(nested)),
  );
  const line = { title: 'a line', nodes: Array.from({ length: DEEP }, (_, index) => nodeAt(index)) };
  const start = performance.now();
  const file = [...writeSocketteer(line)].join('');
  const written = performance.now();
  const missing = DEEP - imported(file).nodes.length;
  const read = performance.now();
  return [
    {
      name: 'import of a 2 MB nested tree of 1,000 nodes, in seconds',
      goal: { atMost: 1 },
      values: [ours / 1000],
      note: `${ours.toFixed(1)} ms; JSON.parse alone ${floor.toFixed(1)} ms`,
    },
    { name: 'the same ÷ JSON.parse', goal: { atMost: 10 }, values, note: 'reader, report, secrets and order included' },
    { name: 'nodes lost on the way', goal: { atMost: 0 }, values: [lost], note: `of ${NODES}` },
    {
      name: 'nodes lost of 1,000,000 in one line, written as nested JSON and read again',
      goal: { atMost: 0 },
      values: [missing],
      note: `written in ${seconds(written - start)}, read in ${seconds(read - written)}, ${Math.round(file.length / 1e6)} MB`,
    },
  ];
}

function nestedFile(): string {
  const text = 'The mill turned, and the river let it. '.repeat(Math.ceil(BYTES / NODES / 39));
  const node = (index: number): unknown => ({
    id: `node-${index}`,
    text,
    meta: { source: index % 3 ? 'AI' : 'prompt', creation_timestamp: '2024-01-02-03.04.05' },
    // Three children each: wide and deep enough to be a tree.
    children: [1, 2, 3].flatMap((n) => (index * 3 + n < NODES ? [node(index * 3 + n)] : [])),
  });
  return JSON.stringify({ root: node(0) }, null, 1);
}

function nodeAt(index: number): TreeNode {
  const node = {
    id: `n${index}`,
    content: `word ${index} `,
    kind: index % 2 ? ('model' as const) : ('human' as const),
  };
  return index === 0 ? node : { ...node, parent: `n${index - 1}` };
}

function imported(content: string): LoomTree {
  const looms = importLooms([{ name: 'loom.json', content }]);
  if (isRefusal(looms)) throw new Error(looms.refusal.message);
  return looms[0]?.tree as LoomTree;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
