import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../test/support/random.ts';
import { isRefusal } from '../../core/refusal.ts';
import { importLooms } from './import.ts';
import type { LoomFormat, LoomTree, TreeNode } from './tree.ts';
import { writeOpenLoom } from './write/openloom.ts';
import { writeSocketteer } from './write/socketteer.ts';

const formats = { openloom: writeOpenLoom, socketteer: writeSocketteer };
const names = Object.keys(formats) as (keyof typeof formats)[];

test.each(names)('[W26] a loom exported as %s is imported unchanged, and a second round changes nothing', (format) => {
  fc.assert(
    fc.property(trees(), (tree) => {
      const first = write(tree, format);
      const back = read(first, format);
      expect(ordered(back)).toEqual(ordered(tree));
      const second = write(back, format);
      expect(write(read(second, format), format)).toBe(second);
    }),
    { numRuns: fuzzRuns(40) },
  );
});

test('[W26] a foreign file that was imported and exported stays the same from then on', () => {
  fc.assert(
    fc.property(strangeNode(), fc.constantFrom(...names), (root, format) => {
      const tree = read(JSON.stringify({ root }), 'socketteer');
      const first = write(tree, format);
      const second = write(read(first, format), format);
      expect(write(read(second, format), format)).toBe(second);
      expect(read(second, format).nodes).toHaveLength(tree.nodes.length);
    }),
    { numRuns: fuzzRuns(40) },
  );
});

test.each([
  ['openloom', 'one after the other', 100_000],
  ['socketteer', 'one after the other', 100_000],
  ['socketteer', 'beside each other', 20_000],
] as const)('[W27] %s %s exports and imports %d nodes', (format, shape, count) => {
  const nodes = Array.from({ length: count }, (_, index): TreeNode => {
    const parent = index === 0 ? undefined : shape === 'beside each other' ? 'n0' : `n${index - 1}`;
    return { id: `n${index}`, kind: index % 2 ? 'model' : 'human', content: `w${index} `, ...(parent && { parent }) };
  });
  const tree = { title: 'many', nodes, active: `n${count - 1}` };
  const back = read(write(tree, format), format);
  expect(back.nodes.length).toBe(count);
  expect(back.nodes.every((node, index) => sameNode(node, nodes[index] as TreeNode))).toBe(true);
  expect(back.active).toBe(tree.active);
});

function write(tree: LoomTree, format: keyof typeof formats): string {
  return [...formats[format](tree)].join('');
}

function read(content: string, format: LoomFormat): LoomTree {
  const looms = importLooms([{ name: 'back.json', content }], format);
  // A loom without a node is refused as a file: it is the one tree that cannot come back.
  if (isRefusal(looms)) throw new Error(looms.refusal.message);
  return looms[0]?.tree as LoomTree;
}

const sameNode = (a: TreeNode, b: TreeNode) =>
  a.id === b.id && a.parent === b.parent && a.content === b.content && a.kind === b.kind;

/** The tree with its nodes depth first, as every importer gives them; without a tip where a lone root stands in for it. */
function ordered({ active, nodes, ...tree }: LoomTree) {
  const tip = active === undefined || active === nodes[0]?.id ? undefined : active;
  const childrenOf = (id: string | undefined) => nodes.filter(({ parent }) => parent === id).toReversed();
  const order: TreeNode[] = [];
  const open = childrenOf(undefined);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node);
    open.push(...childrenOf(node.id));
  }
  return { ...tree, active: tip, nodes: order };
}

function trees(): fc.Arbitrary<LoomTree> {
  const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\0', '').toWellFormed());
  const letter = fc.constantFrom('a', 'Z', 'é', '🧵', '_', '-', '.', '<', ' b');
  const word = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join('').trim());
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const node = fc.record({
    after: fc.nat(),
    version: fc.boolean(),
    content: text,
    kind: fc.constantFrom('human' as const, 'model' as const),
    author: optional(word),
    created: optional(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
    ),
    model: optional(word),
    bookmark: optional(fc.oneof(fc.constant({}), fc.record({ label: word }))),
    tags: optional(fc.uniqueArray(word, { minLength: 1, maxLength: 3 })),
    pruned: fc.constantFrom(true as const, undefined),
    note: optional(text),
    rating: optional(fc.integer({ min: -5, max: 5 })),
    logprobs: optional(
      fc.array(fc.record({ token: word, logprob: fc.integer({ min: -20, max: 0 }) }), { minLength: 1, maxLength: 3 }),
    ),
    extra: optional(fc.dictionary(word, fc.oneof(text, fc.integer(), fc.constant(null)), { minKeys: 1, maxKeys: 3 })),
  });
  const whole = fc.record({
    title: word,
    system: optional(word),
    tip: optional(fc.nat()),
    drafts: fc.array(node, { minLength: 1, maxLength: 20 }),
  });
  return whole.map(({ title, system, tip, drafts }) => {
    const nodes: TreeNode[] = [];
    for (const { after, version, ...rest } of drafts) {
      const sibling = version ? nodes[after % (nodes.length + 1)] : undefined;
      const parent = sibling ? sibling.parent : nodes[after % (nodes.length + 1)]?.id;
      const newNode = { id: `n${nodes.length}`, parent, editedFrom: sibling?.id, ...rest };
      nodes.push(
        Object.fromEntries(Object.entries(newNode).filter(([, value]) => value !== undefined)) as unknown as TreeNode,
      );
    }
    const active = tip === undefined ? undefined : nodes[tip % nodes.length]?.id;
    return { title, nodes, ...(active && { active }), ...(system && { system }) };
  });
}

/** A node of the Python loom as nobody would write it on purpose. */
function strangeNode(): fc.Arbitrary<unknown> {
  const { node } = fc.letrec((tie) => ({
    node: fc.record(
      {
        id: fc.oneof(fc.constantFrom('a', 'b', 'root', '__proto__', '', 7, null), fc.string({ maxLength: 3 })),
        text: fc.oneof(
          { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
          fc.constantFrom(null, 3, [], {}),
        ),
        children: fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom([], null, 'x'),
          fc.array(tie('node'), { maxLength: 3 }),
        ),
        tags: fc.oneof(fc.array(fc.constantFrom('bookmark', 'archived', 'x', 4, null)), fc.constantFrom(null, 'x')),
        meta: fc.oneof(
          fc.record({
            source: fc.constantFrom('AI', 'mixed', 'prompt', 9),
            creation_timestamp: fc.constantFrom('2021-10-01-11.16.44', 5, ''),
          }),
          fc.constant(null),
        ),
        heddle: fc.jsonValue({ maxDepth: 3 }),
        other: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: [] },
    ),
  }));
  return node;
}
