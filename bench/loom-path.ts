import type { Event } from '../src/core/events/event.ts';
import { evolveLoom } from '../src/core/loom/evolve.ts';
import { resolvePath } from '../src/core/loom/graph/path.ts';
import { initialLoom, type LoomState } from '../src/core/loom/state.ts';
import { type Figure, ratios } from './measure.ts';

const NODES = 100_000;
const VERSIONS_EVERY = 10;

interface PlainNode {
  readonly text: string;
  next?: PlainNode;
}

/** The active path of a loom of 100,000 nodes with versions, against following as many objects that point at each other. */
export async function loomPath(): Promise<Figure[]> {
  const state = longLoom(NODES);
  const graph = state.graph.read();
  const first = plainChain(NODES);
  const ours = () => {
    graph.resolvedPaths.clear();
    const start = performance.now();
    const { nodes, length } = resolvePath(graph, 'ana');
    const parts: string[] = [];
    for (let i = 1; i < length; i++) parts.push(graph.contents[nodes[i] as number] as string);
    const took = performance.now() - start;
    if (parts.length !== NODES) throw new Error(`the path has ${parts.length} nodes`);
    return took;
  };
  const floor = () => {
    const start = performance.now();
    const parts: string[] = [];
    for (let node: PlainNode | undefined = first; node; node = node.next) parts.push(node.text);
    const took = performance.now() - start;
    if (parts.length !== NODES) throw new Error('the chain is short');
    return took;
  };
  const found = await ratios(31, ours, floor);
  return [
    {
      name: 'active path at 100k nodes with versions ÷ plain object walk',
      goal: { atMost: 2 },
      values: found.ratios,
      note: `${found.ours.toFixed(2)} ms ÷ ${found.floor.toFixed(2)} ms, nothing remembered from before`,
    },
  ];
}

/** As many nodes in a row, every tenth place with a second version. */
function longLoom(depth: number): LoomState {
  let state = evolveLoom(initialLoom(), event(1, 'thread.created', { title: 'Long', kind: 'loom' }));
  const nodes = Array.from({ length: depth }, (_, i) => ({
    id: `n${i}`,
    ...(i > 0 && { parent: `n${i - 1}` }),
    content: `word ${i} `,
    kind: 'human' as const,
  }));
  state = evolveLoom(state, event(2, 'loom.imported', { nodes, active: `n${depth - 1}` }));
  const edits = nodes
    .filter((_, i) => i % VERSIONS_EVERY === 0)
    .map(({ id }) => ({
      node: `${id}v`,
      from: id,
      content: `other ${id} `,
      content_hash: '',
      context_hash: '',
      provenance_hash: '',
    }));
  return evolveLoom(state, event(3, 'loom.committed', { edits }));
}

function event(seq: number, type: string, content: object): Event {
  const about = { thread: 't', from: 'ana', to: 'all', meta: { by: 'human' as const }, v: 1, hash: '' };
  return { id: `e${seq}`, ts: '2026-01-01T00:00:00.000Z', seq, type, content: content as Event['content'], ...about };
}

/** Objects made in one go lie in order: the best a walk can have. */
function plainChain(length: number): PlainNode {
  const first: PlainNode = { text: 'word 0 ' };
  let last = first;
  for (let i = 1; i < length; i++) {
    const node: PlainNode = { text: `word ${i} ` };
    last.next = node;
    last = node;
  }
  return first;
}
