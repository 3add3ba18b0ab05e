import { assemble } from '../assemble.ts';
import { chosenIn, dropRest, extraOf, OURS, oursOf } from '../extra-fields.ts';
import { asText, type Fields, flag, isObject, list, object, own, text, words } from '../fields.ts';
import type { Value } from '../json.ts';
import { type Draft, linkEdits, linkParents, rankChildren } from '../node-drafts.ts';
import { createReporter } from '../report.ts';
import { timeOf } from '../time.ts';
import type { Imported } from '../tree.ts';
import { nodesOf } from './nodes.ts';

/* OpenLoom 1.0: a map of nodes that name their parent and their children; one root. */

const KNOWN = new Set([
  ...['id', 'text', 'author', 'modelId', 'createdTime', 'parentId', 'childrenIds'],
  ...['isBookmarked', 'bookmarkTitle', 'rememberedChildId'],
]);
const SHOWN: ReadonlySet<string> = new Set();
const TOP = [
  ...['id', 'title', 'rootNodeId', 'currentNodeId', 'nodes', 'bookmarkedNodes'],
  ...['systemMessage', 'openLoom', 'lastModified', OURS],
];

export function isOpenLoom(value: Value): boolean {
  const tree = treeIn(value);
  return tree !== undefined && (text(tree, 'rootNodeId') !== undefined || own(tree, 'currentNodeId') !== undefined);
}

export function readOpenLoom(value: Value, name: string): readonly Imported[] {
  const reporter = createReporter('openloom');
  const tree = treeIn(value) ?? {};
  dropRest(tree, TOP, 'a loom here has no such field', reporter);
  const nodes = nodesOf(own(tree, 'nodes'), reporter);
  const bookmarks = own(tree, 'bookmarkedNodes');
  const marked = new Set(Array.isArray(bookmarks) ? bookmarks.map(asText) : Object.keys(bookmarks ?? {}));
  const edited: (string | undefined)[] = [];
  const drafts = nodes.map(({ id, node }): Draft => {
    const author = words(node, 'author');
    const { editedFrom, ...ours } = oursOf(node, extraOf(node, KNOWN, SHOWN, reporter));
    edited.push(editedFrom);
    if (own(node, 'rememberedChildId'))
      reporter.dropped('rememberedChildId', 'the path shown last is kept, other visits are not');
    const content = text(node, 'text');
    if (content === undefined) reporter.problem('A node has no text; it is empty.', id);
    const label = words(node, 'bookmarkTitle') ?? words(object(bookmarks, id ?? ''), 'bookmarkTitle');
    return {
      id,
      content: content ?? '',
      kind: author === 'assistant' ? 'model' : 'human',
      author: author === 'assistant' || author === 'user' ? undefined : author,
      model: words(node, 'modelId'),
      created: timeOf(own(node, 'createdTime')),
      bookmark: flag(node, 'isBookmarked') || marked.has(id) ? (label === undefined ? {} : { label }) : undefined,
      ...ours,
    };
  });
  const places = linkParents(
    drafts,
    nodes.map(({ node }) => text(node, 'parentId')),
    reporter,
  );
  rankChildren(drafts, places, (index) => list(nodes[index]?.node, 'childrenIds'));
  linkEdits(drafts, places, edited, reporter);
  const title = words(tree, 'title') ?? name;
  const active = places.get(text(tree, 'currentNodeId') ?? '');
  const root = places.get(text(tree, 'rootNodeId') ?? '');
  const chosen = chosenIn(tree).flatMap((id) => places.get(id) ?? []);
  return [assemble({ title, drafts, active, chosen, root, system: text(tree, 'systemMessage') }, reporter)];
}

function treeIn(value: Value): Fields | undefined {
  for (const found of [value, own(value, 'tree'), own(value, 'loomTree')]) {
    const nodes = own(found, 'nodes');
    if (isObject(found) && typeof nodes === 'object' && nodes !== null) return found;
  }
  return undefined;
}
