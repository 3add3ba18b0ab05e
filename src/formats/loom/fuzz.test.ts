import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { isRefusal } from '../../core/refusal.ts';
import { importLooms } from './import.ts';
import { type ImportedLoom, loomFormats } from './tree.ts';
import { writeOpenLoom } from './write/openloom.ts';
import { writeSocketteer } from './write/socketteer.ts';

const FOLDER = join(import.meta.dirname, '../../../test/recordings/looms');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.\w+$/.test(name))
  .map((name) => ({ name, content: readFileSync(join(FOLDER, name), 'utf8') }));
const FIRST_SEED = Number(process.env.HEDDLE_FUZZ_SEED ?? 1);
const HOSTILE = [
  ...['null', '{}', '[]', '""', '-1', '1e999', '99999999999999999999', '"__proto__"', '"constructor"', '"\\ud800"'],
  ...['"\\u0000"', '"sk-notarealkey0123456789abcd"', 'true', '"a1"', '"1"', '"n1"', '"m1"', '{"__proto__":{"x":1}}'],
];

test('[W26] randomly changed files are read or refused without an exception, and the result is consistent', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + fuzzRuns(1500); seed++) {
    const random = seeded(seed);
    const { name, content } = random.pick(files);
    let text = content;
    for (let change = random.below(4); change >= 0; change--) text = mutate(text, random);
    const format = random.pick(['auto', 'auto', 'auto', ...loomFormats] as const);
    try {
      const looms = importLooms(
        [{ name, content: random.below(20) === 0 ? Buffer.from(text, 'latin1') : text }],
        format,
      );
      if (isRefusal(looms)) expect(looms.refusal.message).toMatch(/\.$/);
      else for (const loom of looms) check(loom);
    } catch (error) {
      throw new Error(`seed ${seed} (${name} as ${format})`, { cause: error });
    }
  }
});

type Random = ReturnType<typeof seeded>;

/** By character, by value, by part of the file: cut, doubled, swapped. */
function mutate(text: string, { below, pick }: Random): string {
  const at = below(text.length);
  const to = Math.min(text.length, at + below(40));
  switch (below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, to) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(below(0x10000)) + text.slice(at + 1);
    case 3:
      return below(4) === 0 ? text.slice(0, at) : text;
    default: {
      // A whole value becomes another one, so that the file is still JSON.
      const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|\bnull\b|\btrue\b|\bfalse\b/g)];
      const value = values[below(values.length)];
      if (value === undefined) return text;
      const other = below(2) === 0 ? pick(HOSTILE) : (pick(values)[0] ?? 'null');
      return text.slice(0, value.index) + other + text.slice(value.index + value[0].length);
    }
  }
}

function check({ tree, report }: ImportedLoom) {
  const before = new Set<string>();
  for (const { id, parent, editedFrom, content } of tree.nodes) {
    if (before.has(id)) throw new Error(`two nodes are called ${id}`);
    if (parent !== undefined && !before.has(parent)) throw new Error(`${parent} does not come before its child`);
    if (editedFrom !== undefined && !before.has(editedFrom)) throw new Error(`${editedFrom} comes after its version`);
    if (!content.isWellFormed() || content.includes('\0')) throw new Error('a text cannot be stored');
    before.add(id);
  }
  if (tree.active !== undefined && !before.has(tree.active)) throw new Error('the path leads nowhere');
  const all = JSON.stringify({ tree, report });
  if (/(?<!\w)sk-notarealkey(0123456789abcd|9876543210wxyz)/.test(all)) throw new Error('a key was kept');
  if (
    /plain-looking-key|a-key-of-no-known-shape/.test(
      JSON.stringify(tree.nodes.map(({ extra, note, tags }) => ({ extra, note, tags }))),
    )
  )
    throw new Error('a key of no known shape was kept');
  if (/(?<!\\)(?:\\\\)*\\u(?:d[89a-f]|0000)/.test(all)) throw new Error('half a pair or a NUL was kept');
  for (const write of [writeOpenLoom, writeSocketteer]) JSON.parse([...write(tree)].join(''));
}
