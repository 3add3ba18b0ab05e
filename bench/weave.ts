import { applyChanges, createWeave, lengthOf, type Weave } from '../src/core/loom/weave/weave.ts';
import { isRefusal } from '../src/core/refusal.ts';
import { seeded } from '../test/support/random.ts';
import { type Figure, median, ratios } from './measure.ts';

const NODES = 10_000;
const NODE =
  'It was a dark and stormy night; the rain fell in torrents, except at intervals when it was checked. '.slice(0, 100);
const EDITS = 1000;

/** One edit in a text of 1 MB in 10,000 nodes, against splicing the same edit into a plain string and reading it. */
export async function weave(): Promise<Figure[]> {
  const start = createWeave(Array.from({ length: NODES }, (_, i) => ({ id: `node-${i}`, text: NODE })));
  const spread = await ratios(
    7,
    () => cpu(() => run(start, 'spread')),
    () => cpu(splice),
  );
  const single = createWeave([{ id: 'all', text: NODE.repeat(NODES) }]);
  const typing = [cpu(() => run(start, 'typing')), cpu(() => run(start, 'typing')), cpu(() => run(start, 'typing'))];
  const inOne = [cpu(() => run(single, 'spread')), cpu(() => run(single, 'spread')), cpu(() => run(single, 'spread'))];
  const figure = (name: string, values: readonly number[], note: string): Figure => ({
    name,
    goal: { atMost: 0.2 },
    values,
    note,
  });
  return [
    figure(
      'weave: ms CPU for one edit anywhere in 1 MB of 10k nodes, each committing the one before',
      [spread.ours],
      `${(spread.ours * 1000).toFixed(1)} µs; a splice of the plain string takes ${(spread.floor * 1000).toFixed(1)} µs`,
    ),
    figure('weave: ms CPU for one keystroke in a node of the same', typing, `${(median(typing) * 1000).toFixed(1)} µs`),
    figure('weave: ms CPU for one edit in a single node of 1 MB', inOne, `${(median(inOne) * 1000).toFixed(1)} µs`),
    {
      name: 'the first ÷ splice of a plain string',
      goal: { atMost: 1 },
      values: spread.ratios,
      note: 'the floor looks at no node',
    },
  ];
}

/** Milliseconds of processor time for one edit. */
function cpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / EDITS;
}

function run(start: Weave, how: 'spread' | 'typing'): void {
  const random = seeded(1);
  let now = start;
  for (let i = 0; i < EDITS; i++) {
    const at = how === 'typing' ? 500_050 + i : random.below(lengthOf(now));
    const result = applyChanges(now, { from: at, to: at, insert: 'x' }, how === 'typing');
    if (isRefusal(result)) throw new Error(result.refusal.message);
    now = result.weave;
  }
}

function splice(): void {
  const random = seeded(1);
  let text = NODE.repeat(NODES);
  for (let i = 0; i < EDITS; i++) {
    const at = random.below(text.length);
    text = `${text.slice(0, at)}x${text.slice(at)}`;
    // Joined strings are only put together when somebody reads them.
    if (text.charCodeAt(at) !== 120) throw new Error('the text was not spliced');
  }
}
