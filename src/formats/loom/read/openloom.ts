import { assembleLoom } from '../assemble.ts';
import { chosenVersionIds, collectExtra, dropUnknown, HEDDLE_KEY, readHeddleFields } from '../extra-fields.ts';
import { asText, getField, getFlag, getObject, getText, getTrimmed, isObject, type JsonFields } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { linkEdits, type NodeDraft } from '../node-drafts.ts';
import { createImportReporter } from '../report.ts';
import { parseTime } from '../time.ts';
import type { ImportedLoom } from '../tree.ts';
import { contentOf, linkNodes, readNodes } from './nodes.ts';

/* OpenLoom 1.0: a map of nodes that name their parent and their children; one root. */

const KNOWN_FIELDS = new Set([
  ...['id', 'text', 'author', 'modelId', 'createdTime', 'parentId', 'childrenIds'],
  ...['isBookmarked', 'bookmarkTitle', 'rememberedChildId'],
]);
const VIEW_FIELDS: ReadonlySet<string> = new Set();
const TOP_FIELDS = [
  ...['id', 'title', 'rootNodeId', 'currentNodeId', 'nodes', 'bookmarkedNodes'],
  ...['systemMessage', 'openLoom', 'lastModified', HEDDLE_KEY],
];

export function isOpenLoom(value: JsonValue): boolean {
  const tree = findTree(value);
  return (
    tree !== undefined && (getText(tree, 'rootNodeId') !== undefined || getField(tree, 'currentNodeId') !== undefined)
  );
}

export function readOpenLoom(value: JsonValue, name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('openloom');
  const tree = findTree(value) ?? {};
  dropUnknown(tree, TOP_FIELDS, 'Heddle has no such field', reporter);
  const nodes = readNodes(getField(tree, 'nodes'), reporter);
  const bookmarks = getField(tree, 'bookmarkedNodes');
  const bookmarkedIds = new Set(Array.isArray(bookmarks) ? bookmarks.map(asText) : Object.keys(bookmarks ?? {}));
  const drafts = nodes.map(({ id, node }): NodeDraft => {
    const author = getTrimmed(node, 'author');
    if (getField(node, 'rememberedChildId'))
      reporter.noteDropped('rememberedChildId', 'the path shown last is kept, other visits are not');
    const label = getTrimmed(node, 'bookmarkTitle') ?? getTrimmed(getObject(bookmarks, id ?? ''), 'bookmarkTitle');
    return {
      id,
      content: contentOf(getText(node, 'text'), id, reporter),
      kind: author === 'assistant' ? 'model' : 'human',
      author: author === 'assistant' || author === 'user' ? undefined : author,
      model: getTrimmed(node, 'modelId'),
      created: parseTime(getField(node, 'createdTime')),
      bookmark:
        getFlag(node, 'isBookmarked') || bookmarkedIds.has(id) ? (label === undefined ? {} : { label }) : undefined,
      ...readHeddleFields(node, collectExtra(node, KNOWN_FIELDS, VIEW_FIELDS, reporter)),
    };
  });
  const indexById = linkNodes(drafts, nodes, { parentField: 'parentId', childrenField: 'childrenIds' }, reporter);
  linkEdits(drafts, indexById, reporter);
  const title = getTrimmed(tree, 'title') ?? name;
  const active = indexById.get(getText(tree, 'currentNodeId') ?? '');
  const root = indexById.get(getText(tree, 'rootNodeId') ?? '');
  const chosen = chosenVersionIds(tree).flatMap((id) => indexById.get(id) ?? []);
  return [assembleLoom({ title, drafts, active, chosen, root, system: getText(tree, 'systemMessage') }, reporter)];
}

function findTree(value: JsonValue): JsonFields | undefined {
  for (const candidate of [value, getField(value, 'tree'), getField(value, 'loomTree')]) {
    const nodes = getField(candidate, 'nodes');
    if (isObject(candidate) && typeof nodes === 'object' && nodes !== null) return candidate;
  }
  return undefined;
}
