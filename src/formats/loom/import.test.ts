import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRefusal } from '../../core/refusal.ts';
import { detectFormat, importLooms } from './import.ts';
import type { ImportedLoom, LoomFormat, LoomTree } from './tree.ts';

const FOLDER = join(import.meta.dirname, '../../../test/recordings/looms');
const file = (name: string) => ({ name, content: readFileSync(join(FOLDER, name)) });

test.each([
  ['socketteer.json', 'socketteer'],
  ['socketteer-simple.json', 'socketteer'],
  ['loomsidian-data.json', 'loomsidian'],
  ['miniloom.json', 'miniloom'],
  ['exoloom.json', 'exoloom'],
  ['mikupad.json', 'mikupad'],
  ['chats/first.jsonl', 'sillytavern'],
  ['openloom.json', 'openloom'],
  ['plain.md', 'text'],
])('[W26] %s is recognised as %s', (name, format) => {
  expect(detectFormat(file(name).content.toString(), name)).toMatchObject({ format });
  expect(read(name).report.format).toBe(format);
});

test('[W26] a socketteer file keeps its nesting, chapters, tags, models and token probabilities', () => {
  const { tree, report } = read('socketteer.json');
  expect(outline(tree)).toEqual([
    'The lighthouse went dark at nine.',
    '  Nobody noticed',
    '  and the gulls fell quiet.',
    "    Only the keeper's dog",
    '    ',
  ]);
  expect(tree.nodes[0]).toMatchObject({
    kind: 'human',
    created: '2021-10-01T11:16:44.000Z',
    bookmark: { label: 'Night one' },
    tags: ['canonical'],
  });
  expect(tree.nodes[1]).toMatchObject({
    id: '3074457352913435888',
    kind: 'model',
    model: 'davinci',
    logprobs: [
      { token: ' Nobody', logprob: -1.5, top: [{ token: ' Nobody' }, { token: ' No', logprob: -2.25 }] },
      { token: ' noticed' },
    ],
  });
  expect(tree.nodes[2]).toMatchObject({ pruned: true, kind: 'model' });
  // Edited since: the tokens are those of another text.
  expect(tree.nodes[2]).not.toHaveProperty('logprobs');
  expect(tree.nodes[3]).toMatchObject({ bookmark: {}, extra: { mood: { tone: 'uneasy', weight: 2 } } });
  expect(tree.active).toBe('3074457352913435889');
  expect(report).toMatchObject({ nodes: 6, secretsRemoved: 1 });
  expect(droppedFields(report)).toEqual(
    expect.arrayContaining(['generation_settings', 'preferences', 'open', 'model_responses']),
  );
  expect(problems(report)).toEqual(
    expect.arrayContaining([
      'A node has no text; it is empty.',
      'A node has no ID; it got one.',
      'Two nodes have the same ID; the later one got another.',
    ]),
  );
});

test('[W26] a loomsidian file gives one loom per note, keeps orphans and removes keys', () => {
  const looms = importLooms([file('loomsidian-data.json')]);
  if (isRefusal(looms)) throw new Error(looms.refusal.message);
  expect(looms.map(({ tree }) => tree.title)).toEqual(['Harbour', 'Old note']);
  expect(outline(looms[0]?.tree as LoomTree)).toEqual([
    'A boat came in with the fog.',
    '  Its deck was empty.',
    '    It had no name painted on it.',
    '  The crew waved.',
    'Somebody deleted my parent.',
  ]);
  expect(looms[0]?.tree.active).toBe('n3');
  expect(looms[0]?.report.secretsRemoved).toBe(2);
  expect(looms[1]?.tree.nodes[0]?.content).toBe('Written by an early version.');
  expect(JSON.stringify(looms)).not.toMatch(/sk-|plain-looking-key/);
});

test('[W26] a miniloom file keeps the text that its patches produced at every node', () => {
  const { tree, report } = read('miniloom.json');
  expect(textUpTo(tree, '3')).toBe('The clock struck ten. Then it stopped.');
  expect(textUpTo(tree, '4')).toBe('The clock struck ten. Again.');
  expect(textUpTo(tree, '5')).toBe('The bell struck ten. Then it stopped. Silence.');
  expect(textUpTo(tree, '6')).toBe('The bell struck ten. Then it stopped. Silence. words');
  expect(tree.nodes.map(({ id }) => id)).toEqual(['2', '4', '3', '5', '6']);
  expect(tree.nodes.find(({ id }) => id === '3')).toMatchObject({ rating: 1, model: 'tiny-base', kind: 'model' });
  expect(problems(report)).toEqual([
    'A node changes earlier text; it became a branch from before the change.',
    'A patch does not fit the text it was made for; what it adds follows its parent.',
  ]);
});

test('[W26] an exoloom file keeps authors, the order of children, bookmarks and pruned branches', () => {
  const { tree, report } = read('exoloom.json');
  expect(tree.title).toBe('The orchard');
  expect(tree.nodes.map(({ id, parent }) => [id, parent])).toEqual([
    ['root', undefined],
    ['b', 'root'],
    ['a', 'root'],
  ]);
  expect(tree.nodes[1]).toMatchObject({ kind: 'model', author: 'some-model', bookmark: { label: 'counting' } });
  expect(tree.nodes[2]).toMatchObject({ pruned: true, created: '2024-11-02T09:31:40.000Z' });
  expect(problems(report)).toEqual(['Something among the nodes is not a node.']);
});

test('[W26] a mikupad file gets a node for each change of writer, with probabilities as logprobs', () => {
  const { tree, report } = read('mikupad.json');
  expect(tree.title).toBe('Tin soldier');
  expect(tree.nodes.map(({ content, kind }) => [content, kind])).toEqual([
    ['The tin soldier stood', 'human'],
    [' on one leg', 'model'],
    [', as ever.', 'human'],
  ]);
  expect(tree.nodes[1]?.logprobs?.[0]).toMatchObject({
    token: ' on',
    logprob: Math.log(0.5),
    top: [{}, { token: ' by' }],
  });
  expect(tree.nodes[1]?.logprobs?.[1]).toEqual({ token: ' one' });
  expect(report.secretsRemoved).toBe(1);
  expect(JSON.stringify({ tree, report })).not.toContain('a-key-of-no-known-shape');
});

test('[W26] SillyTavern swipes become branches, and a folder merges the shared part of its chats', () => {
  const { tree, report } = read('chats/first.jsonl', 'chats/second.jsonl');
  expect(outline(tree)).toEqual([
    'Ferry: Where to?',
    '  Ines: The far bank.',
    '    Ferry: Not tonight.',
    '      Ines: (hidden) ask again tomorrow',
    '    Ferry: Two coins.',
    '      Ines: One, and a song.',
    '    Ferry: The river is high.',
  ]);
  expect(tree.nodes.find(({ content }) => content.includes('Not tonight'))?.bookmark).toEqual({
    label: 'before the storm',
  });
  expect(tree.nodes[0]).toMatchObject({ author: 'Ferry', kind: 'model', created: '2024-06-19T16:13:00.000Z' });
  expect(report.problems).toEqual([
    { what: 'A line is not a message; it was left out.', count: 1, where: ['chats/first.jsonl, line 5'] },
  ]);
});

test('[W26] an OpenLoom file keeps the order of children, restores missing parents, cuts circles and reads all time formats', () => {
  const { tree, report } = read('openloom.json');
  expect(tree).toMatchObject({ title: 'Small talk', system: 'Be brief.', active: 'm3' });
  expect(outline(tree)).toEqual(['Which road?', '  The right one.', '  The left one.', 'Note to self']);
  expect(tree.nodes.map(({ created }) => created)).toEqual([
    '2024-10-30T16:53:20.250Z',
    '2024-11-01T10:00:06.000Z',
    '2024-11-01T10:00:05.000Z',
    undefined,
  ]);
  expect(tree.nodes[2]?.bookmark).toEqual({ label: 'left' });
  expect(problems(report)).toEqual(['Nodes are each other’s parents in a circle; it was cut.']);
});

test('[W26] a text is kept unchanged, and one that is too long for a node is split into several', () => {
  const content = '# A walk\n\nIt rained, and then it did not.\n\n- stones\n- a hat\n';
  expect(read('plain.md').tree).toMatchObject({ title: 'A walk', nodes: [{ content, kind: 'human' }] });
  const long = `${'🧵'.repeat(200_000)}\n${'word '.repeat(100_000)}`;
  const looms = importLooms([{ name: 'long.txt', content: long }]) as readonly ImportedLoom[];
  const { tree, report } = looms[0] as ImportedLoom;
  expect(tree.nodes.length).toBeGreaterThan(1);
  expect(tree.nodes.every(({ content: part }) => part.isWellFormed())).toBe(true);
  expect(textUpTo(tree, tree.active as string)).toBe(long);
  expect(problems(report)).toEqual(['A text was too long for one node and was split into several.']);
});

test('[W26] keys inside texts, ids and unknown fields are removed and counted', () => {
  const key = 'sk-notarealkey0123456789abcd';
  const content = JSON.stringify({
    text: `use ${key} now`,
    children: [{ text: 'a', id: key, apiKey: 'hunter2hunter2', headers: { Authorization: `Bearer ${key}` } }],
  });
  const [loom] = importLooms([{ name: 'keys.json', content }]) as readonly ImportedLoom[];
  expect(JSON.stringify(loom)).not.toMatch(/sk-nota|hunter2/);
  expect(loom?.tree.nodes[0]?.content).toBe('use [secret removed] now');
  expect(loom?.report.secretsRemoved).toBe(3);
});

test('[W26] web tokens are removed entirely, and lookalikes stay', () => {
  const [header, claims, signature] = ['eyJhbGciOiJub25l', 'eyJzdWIiOiJub2JvZHki', 'c2lnbmF0dXJl-_0'];
  const text = `a.${claims}.b x-${header}.${claims}.${signature}, ${header}.${claims}`;
  const [loom] = importLooms([
    { name: 'a.json', content: JSON.stringify({ text, children: [] }) },
  ]) as readonly ImportedLoom[];
  expect(loom?.tree.nodes[0]?.content).toBe(`a.${claims}.b x-[secret removed], ${header}.${claims}`);
  expect(loom?.report.secretsRemoved).toBe(1);
});

test('[W26] unknown fields with dangerous names are dropped', () => {
  const content = '{"text": "a", "children": [], "__proto__": {"x": 1}, "a\\u0000b": 1, "\\ud800": 2, "fine": 3}';
  const [loom] = importLooms([{ name: 'names.json', content }]) as readonly ImportedLoom[];
  expect(loom?.tree.nodes[0]?.extra).toStrictEqual({ fine: 3 });
  expect(droppedFields((loom as ImportedLoom).report)).toEqual(['__proto__', 'a\ufffdb', '\ufffd']);
});

test('[W26] NUL, lone surrogates, invalid UTF-8 and duplicate keys are repaired and reported', () => {
  const [loom] = importLooms([
    { name: 'bad.json', content: '{"text": "a\\u0000b\\ud800c", "text": "a\\u0000b\\ud800c", "children": []}' },
  ]) as readonly ImportedLoom[];
  expect(loom?.tree.nodes[0]?.content).toBe('a\ufffdb\ufffdc');
  expect(problems((loom as ImportedLoom).report)).toEqual(
    expect.arrayContaining([
      'A text contained a NUL or half a surrogate pair; it was replaced by U+FFFD.',
      'A key appears twice in one object; the last one counts.',
    ]),
  );
  const [latin] = importLooms([
    { name: 'latin.txt', content: Buffer.from([0x63, 0x61, 0x66, 0xe9]) },
  ]) as readonly ImportedLoom[];
  expect(latin?.tree.nodes[0]?.content).toBe('caf\ufffd');
  expect(problems((latin as ImportedLoom).report)[0]).toMatch(/not entirely UTF-8/);
});

test('[W26] a file of an unknown format is refused with the formats that were tried', () => {
  expect(refusalOf('{"some": "thing"}', 'x.json')).toMatch(
    /^x\.json is in none of the known formats \(socketteer, loomsidian, miniloom, exoloom, mikupad, sillytavern, openloom, text\)\./,
  );
  expect(refusalOf('{"root": {"text": "cut', 'cut.json')).toMatch(
    /^cut\.json is not complete JSON: the file ends inside a text \(line 1\)\./,
  );
  expect(refusalOf('  \n', 'empty.json')).toMatch(/is empty/);
  expect(refusalOf(Buffer.from([0x53, 0x51, 0x00, 0x01]), 'data.db')).toMatch(/is not text/);
  expect(refusalOf('{"nodes": {}, "rootNodeId": "a"}', 'hollow.json')).toMatch(/contains no loom nodes/);
  expect(refusalOf('[]', 'mine.json', 'openloom')).toMatch(/contains no loom nodes when read as openloom/);
});

function read(...names: string[]): ImportedLoom {
  const looms = importLooms(names.map(file));
  if (isRefusal(looms)) throw new Error(looms.refusal.message);
  return looms[0] as ImportedLoom;
}

function refusalOf(content: string | Uint8Array, name: string, format?: LoomFormat): string | undefined {
  const result = importLooms([{ name, content }], format);
  return isRefusal(result) ? result.refusal.message : undefined;
}

function outline({ nodes }: LoomTree): readonly string[] {
  const depths = new Map<string | undefined, number>([[undefined, -1]]);
  return nodes.map(({ id, parent, content }) => {
    const depth = (depths.get(parent) as number) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${depth > 0 && content.startsWith(' ') ? content.slice(1) : content}`.replace(
      /\n+$/,
      '',
    );
  });
}

function textUpTo({ nodes }: LoomTree, id: string): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts: string[] = [];
  for (let at = byId.get(id); at !== undefined; at = byId.get(at.parent ?? '')) parts.unshift(at.content);
  return parts.join('');
}

const droppedFields = (report: ImportedLoom['report']) => report.dropped.map(({ field }) => field);
const problems = (report: ImportedLoom['report']) => report.problems.map(({ what }) => what);
