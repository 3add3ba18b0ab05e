import { assembleLoom } from '../assemble.ts';
import { collectExtra, dropUnknown, OTHER_SETTINGS } from '../extra-fields.ts';
import { asText, getField, getObject, getText, getTrimmed } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import type { NodeDraft } from '../node-drafts.ts';
import { createImportReporter } from '../report.ts';
import { parseTime } from '../time.ts';
import type { ImportedLoom } from '../tree.ts';
import { contentOf, linkNodes, readNodes } from './nodes.ts';

/* Exoloom: the tree, and a separate `lens` with the reader's marks and pruned nodes. */

const KNOWN_FIELDS = new Set([
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
const VIEW_FIELDS = new Set(['collapsed', 'position', 'updatedAt']);

export function isExoloom(value: JsonValue): boolean {
  if (/^exoloom$/i.test(getText(value, 'loomType') ?? '')) return true;
  const nodes = getObject(getObject(value, 'tree'), 'nodes') ?? {};
  const first = Object.values(nodes)[0];
  return getField(first, 'authorType') !== undefined && getField(first, 'content') !== undefined;
}

export function readExoloom(value: JsonValue, name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('exoloom');
  const tree = getObject(value, 'tree') ?? {};
  const lens = getObject(value, 'lens') ?? {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    dropUnknown(value, ['tree', 'lens', 'loomType', 'version'], OTHER_SETTINGS, reporter);
  dropUnknown(tree, ['title', 'rootNodeId', 'nodes', 'id'], 'Heddle has no such field', reporter);
  dropUnknown(
    lens,
    ['bookmarks', 'prunedNodes', 'currentNodeId', 'selectedNodeId'],
    'view settings of the tree',
    reporter,
  );
  const bookmarks = readMarks(getField(lens, 'bookmarks'));
  const prunedMarks = readMarks(getField(lens, 'prunedNodes'));
  const nodes = readNodes(getField(tree, 'nodes'), reporter);
  const drafts = nodes.map(({ id, node }): NodeDraft => {
    const kind = /^(llm|ai|model|assistant)$/i.test(getText(node, 'authorType') ?? '') ? 'model' : 'human';
    const author = getTrimmed(node, 'authorName');
    const label = bookmarks.get(id ?? '');
    return {
      id,
      content: contentOf(getText(node, 'content') ?? getText(node, 'text'), id, reporter),
      kind,
      author,
      model: getTrimmed(node, 'model') ?? (kind === 'model' ? author : undefined),
      created: parseTime(getField(node, 'createdAt')),
      bookmark: label === undefined ? undefined : label === '' ? {} : { label },
      pruned: prunedMarks.has(id ?? '') || undefined,
      extra: collectExtra(node, KNOWN_FIELDS, VIEW_FIELDS, reporter),
    };
  });
  const indexById = linkNodes(drafts, nodes, { parentField: 'parentId', childrenField: 'childrenIds' }, reporter);
  const active = indexById.get(getText(lens, 'currentNodeId') ?? getText(lens, 'selectedNodeId') ?? '');
  const root = indexById.get(getText(tree, 'rootNodeId') ?? '');
  return [assembleLoom({ title: getTrimmed(tree, 'title') ?? name, drafts, active, root }, reporter)];
}

/** Reads marks with their labels from a list of ids, a list of objects with an id, or a map by id. */
function readMarks(marks: JsonValue | undefined): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  if (typeof marks !== 'object' || marks === null) return labels;
  for (const [key, mark] of Object.entries(marks)) {
    if (mark === false || mark === null) continue;
    const nodeId = getText(mark, 'nodeId') ?? getText(mark, 'id');
    const id = nodeId ?? (Array.isArray(marks) ? asText(mark) : key);
    const label = getTrimmed(mark, 'label') ?? getTrimmed(mark, 'title') ?? getTrimmed(mark, 'name');
    if (id !== undefined) labels.set(id, label ?? '');
  }
  return labels;
}
