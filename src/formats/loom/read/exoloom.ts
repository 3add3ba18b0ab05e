import { assemble } from '../assemble.ts';
import { dropRest, extraOf, SETTINGS } from '../extra-fields.ts';
import { asText, list, object, own, text, words } from '../fields.ts';
import type { Value } from '../json.ts';
import { type Draft, linkParents, rankChildren } from '../node-drafts.ts';
import { createReporter } from '../report.ts';
import { timeOf } from '../time.ts';
import type { Imported } from '../tree.ts';
import { nodesOf } from './nodes.ts';

/* Exoloom: the tree, and beside it a `lens` with what its reader marked and pruned. */

const KNOWN = new Set([
  'id',
  'content',
  'text',
  'authorType',
  'authorName',
  'parentId',
  'childrenIds',
  'createdAt',
  'model',
]);
const SHOWN = new Set(['collapsed', 'position', 'updatedAt']);

export function isExoloom(value: Value): boolean {
  if (/^exoloom$/i.test(text(value, 'loomType') ?? '')) return true;
  const nodes = object(object(value, 'tree'), 'nodes') ?? {};
  const first = Object.values(nodes)[0];
  return own(first, 'authorType') !== undefined && own(first, 'content') !== undefined;
}

export function readExoloom(value: Value, name: string): readonly Imported[] {
  const reporter = createReporter('exoloom');
  const tree = object(value, 'tree') ?? {};
  const lens = object(value, 'lens') ?? {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    dropRest(value, ['tree', 'lens', 'loomType', 'version'], SETTINGS, reporter);
  dropRest(tree, ['title', 'rootNodeId', 'nodes', 'id'], 'a loom here has no such field', reporter);
  dropRest(
    lens,
    ['bookmarks', 'prunedNodes', 'currentNodeId', 'selectedNodeId'],
    'how the tree was looked at',
    reporter,
  );
  const bookmarks = marksOf(own(lens, 'bookmarks'));
  const pruned = marksOf(own(lens, 'prunedNodes'));
  const nodes = nodesOf(own(tree, 'nodes'), reporter);
  const drafts = nodes.map(({ id, node }): Draft => {
    const content = text(node, 'content') ?? text(node, 'text');
    if (content === undefined) reporter.problem('A node has no text; it is empty.', id);
    const kind = /^(llm|ai|model|assistant)$/i.test(text(node, 'authorType') ?? '') ? 'model' : 'human';
    const author = words(node, 'authorName');
    const label = bookmarks.get(id ?? '');
    return {
      id,
      content: content ?? '',
      kind,
      author,
      model: words(node, 'model') ?? (kind === 'model' ? author : undefined),
      created: timeOf(own(node, 'createdAt')),
      bookmark: label === undefined ? undefined : label === '' ? {} : { label },
      pruned: pruned.has(id ?? '') || undefined,
      extra: extraOf(node, KNOWN, SHOWN, reporter),
    };
  });
  const places = linkParents(
    drafts,
    nodes.map(({ node }) => text(node, 'parentId')),
    reporter,
  );
  rankChildren(drafts, places, (index) => list(nodes[index]?.node, 'childrenIds'));
  const active = places.get(text(lens, 'currentNodeId') ?? text(lens, 'selectedNodeId') ?? '');
  const root = places.get(text(tree, 'rootNodeId') ?? '');
  return [assemble({ title: words(tree, 'title') ?? name, drafts, active, root }, reporter)];
}

/** Ids, objects that name one, or a map by id: each with its label, if any. */
function marksOf(marks: Value | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (typeof marks !== 'object' || marks === null) return found;
  for (const [key, mark] of Object.entries(marks)) {
    if (mark === false || mark === null) continue;
    const named = text(mark, 'nodeId') ?? text(mark, 'id');
    const id = named ?? (Array.isArray(marks) ? asText(mark) : key);
    const label = words(mark, 'label') ?? words(mark, 'title') ?? words(mark, 'name');
    if (id !== undefined) found.set(id, label ?? '');
  }
  return found;
}
