import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../../test/support/random.ts';
import type { LoomTree } from '../tree.ts';
import { writeHtml } from './html.ts';
import { writeMarkdown } from './markdown.ts';
import { writeOpenLoom } from './openloom.ts';
import { type PathText, splitByWriter } from './path-text.ts';
import { writeSocketteer } from './socketteer.ts';
import { writeText, writeTextWithAuthors } from './text.ts';

const path: PathText = {
  title: 'The <mill>',
  text: 'Once a mill stood\n by the river.\n',
  spans: [
    { start: 0, end: 11, author: 'ana', kind: 'human' },
    { start: 11, end: 18, author: 'tiny *base*', kind: 'model' },
    { start: 18, end: 33, author: 'ana', kind: 'human' },
  ],
};
const tree: LoomTree = {
  title: 'Mill',
  active: 'b',
  nodes: [
    { id: 'a', content: 'Once', kind: 'human', author: 'ana', created: '2026-01-02T03:04:05.678Z' },
    {
      id: 'b',
      parent: 'a',
      content: ' a mill',
      kind: 'model',
      model: 'tiny',
      bookmark: { label: 'start' },
      tags: ['x'],
    },
    { id: 'c', parent: 'a', content: ' a well', kind: 'human', editedFrom: 'b', pruned: true, rating: 1 },
  ],
};

test('[W26] OpenLoom programs can read our export: a map of nodes, one root and three kinds of author', () => {
  const file = JSON.parse([...writeOpenLoom(tree)].join(''));
  expect(file).toMatchObject({
    openLoom: '1.0',
    title: 'Mill',
    rootNodeId: 'a',
    currentNodeId: 'b',
    systemMessage: '',
  });
  expect(Object.keys(file.nodes)).toEqual(['a', 'b', 'c']);
  expect(file.nodes.a).toEqual({
    id: 'a',
    text: 'Once',
    author: 'user',
    modelId: '',
    createdTime: '2026-01-02T03:04:05.678Z',
    parentId: null,
    childrenIds: ['b', 'c'],
    rememberedChildId: 'b',
    isBookmarked: false,
    heddle: { author: 'ana' },
  });
  expect(file.nodes.b).toMatchObject({
    author: 'assistant',
    modelId: 'tiny',
    isBookmarked: true,
    bookmarkTitle: 'start',
  });
  expect(file.nodes.c.heddle).toEqual({ editedFrom: 'b', rating: 1, pruned: true });
  expect(Object.keys(file.bookmarkedNodes)).toEqual(['b']);
});

test('[W26] the Python loom can read our socketteer export: nested nodes, tags, chapters and times', () => {
  const file = JSON.parse([...writeSocketteer(tree)].join(''));
  expect(file.root).toMatchObject({
    id: 'a',
    text: 'Once',
    meta: { source: 'prompt', creation_timestamp: '2026-01-02-03.04.05' },
    heddle: { author: 'ana', created: '2026-01-02T03:04:05.678Z' },
    children: [
      {
        id: 'b',
        parent_id: 'a',
        meta: { source: 'AI' },
        tags: ['bookmark', 'x'],
        chapter_id: 'chapter-b',
        children: [],
      },
      { id: 'c', parent_id: 'a', tags: ['archived'], heddle: { editedFrom: 'b', rating: 1 }, children: [] },
    ],
  });
  expect(file.chapters).toEqual({ 'chapter-b': { id: 'chapter-b', root_id: 'b', title: 'start' } });
  expect(file.selected_node_id).toBe('b');
});

test('[W26] a plain text export is the text, with an optional table of authors', () => {
  expect(writeText(path)).toBe(path.text);
  expect(writeTextWithAuthors(path)).toBe(
    `${path.text}\n---\nAuthors, by characters (UTF-16 units, ends excluded):\n0-11\thuman\tana\n11-18\tmodel\ttiny *base*\n18-33\thuman\tana\n`,
  );
});

test('[W26] a Markdown export names authors in footnotes that no text can imitate', () => {
  expect(writeMarkdown(path)).toBe(
    [
      '# The \\<mill\\>',
      '',
      'Once a mill[^by-1] stood[^by-2]',
      ' by the river.[^by-1]',
      '',
      '',
      '---',
      '',
      '[^by-1]: ana (human, 26 characters)',
      '[^by-2]: tiny \\*base\\* (model, 7 characters)',
      '',
    ].join('\n'),
  );
  expect(writeMarkdown({ ...path, text: 'a [^by-1] b', spans: [{ start: 0, end: 3, kind: 'model' }] })).toContain(
    '[^by-x-2]',
  );
});

test('[W26] an HTML export escapes everything, loads nothing and marks authors by more than colour', () => {
  const evil = '</span><script>alert(1)</script>"\'&\u202e';
  const html = writeHtml({ title: evil, text: evil, spans: [{ start: 0, end: 5, author: evil, kind: 'model' }] });
  expect(html).not.toMatch(/<script|<\/span><\/span>|src=|href=|url\(|@import/);
  expect(html.match(/<script/g)).toBeNull();
  expect(html).toContain("default-src 'none'");
  expect(html).toContain('color-scheme: light dark');
  const page = writeHtml(path);
  expect(page).toContain('<span class="model u1 c1" data-n="2" title="tiny *base* (model)"> stood\n</span>');
  expect(page).toContain('<bdi>ana</bdi></span><sup>1</sup> human, 26 characters');
  expect(page).toContain('.u1 { text-decoration-style: dotted; }');
});

test('[W26] each character is in exactly one part of the HTML, whatever the spans', () => {
  const span = fc.record({
    start: fc.integer({ min: -3, max: 30 }),
    end: fc.integer({ min: -3, max: 30 }),
    author: fc.constantFrom('a', 'b', '<i>'),
    kind: fc.constantFrom('human' as const, 'model' as const),
  });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.array(span, { maxLength: 6 }), (text, spans) => {
      const { parts, writers } = splitByWriter({ title: '', text, spans });
      expect(parts.map((part) => part.text).join('')).toBe(text);
      expect(writers.reduce((sum, { characters }) => sum + characters, 0)).toBe(text.length);
      const main = /<main dir="auto">(.*)<\/main>/s.exec(writeHtml({ title: '', text, spans }))?.[1] ?? '';
      expect(unescapeHtml(main.replace(/<[^>]*>/g, ''))).toBe(text);
    }),
    { numRuns: fuzzRuns(200) },
  );
});

function unescapeHtml(html: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#13': '\r', amp: '&' };
  return html.replace(/&([^;]+);/g, (_, name: string) => names[name] ?? '?');
}
