import type { LoomTree, TreeNode } from '../tree.ts';
import { heddleFieldsOf, heddleTreeFieldsOf, layoutOf } from './heddle-fields.ts';

/** OpenLoom 1.0, in parts, so that a loom larger than the longest string can be written. */
export function* writeOpenLoom(tree: LoomTree): Generator<string> {
  const { root, rootId, children } = layoutOf(tree);
  const remembered = rememberedChildren(tree);
  const createdTimes = tree.nodes.map(({ created }) => created ?? '');
  const header = {
    openLoom: '1.0',
    id: rootId,
    title: tree.title,
    description: null,
    lastModified: createdTimes.reduce((latest, time) => (time > latest ? time : latest), '') || null,
    systemMessage: tree.system ?? '',
    rootNodeId: rootId,
    currentNodeId: tree.active ?? rootId,
    ...heddleTreeFieldsOf(tree),
  };
  yield `${JSON.stringify(header).slice(0, -1)},"nodes":{`;
  let comma = '';
  if (root === undefined) {
    yield `${JSON.stringify(rootId)}:${JSON.stringify(rootNode())}`;
    comma = ',';
  }
  for (const node of tree.nodes) {
    yield `${comma}${JSON.stringify(node.id)}:${JSON.stringify(nodeOf(node))}`;
    comma = ',';
  }
  yield '},"bookmarkedNodes":{';
  comma = '';
  for (const node of tree.nodes) {
    if (!node.bookmark) continue;
    yield `${comma}${JSON.stringify(node.id)}:${JSON.stringify(nodeOf(node))}`;
    comma = ',';
  }
  yield '}}\n';

  function rootNode() {
    return {
      id: rootId,
      text: '',
      author: 'user',
      modelId: '',
      createdTime: null,
      parentId: null,
      ...linksOf(undefined),
      isBookmarked: false,
    };
  }

  function nodeOf(node: TreeNode) {
    return {
      id: node.id,
      text: node.content,
      author: authorOf(node),
      modelId: node.model ?? '',
      createdTime: node.created ?? null,
      parentId: node.parent ?? (root === undefined ? rootId : null),
      ...linksOf(node.id),
      isBookmarked: node.bookmark !== undefined,
      ...(node.bookmark?.label !== undefined && { bookmarkTitle: node.bookmark.label }),
      ...heddleFieldsOf(node, [
        'author',
        'editedFrom',
        'sources',
        'note',
        'rating',
        'tags',
        'pruned',
        'logprobs',
        'extra',
      ]),
    };
  }

  function linksOf(id: string | undefined) {
    const ids = (children.get(id) ?? []).map((child) => child.id);
    return { childrenIds: ids, rememberedChildId: remembered.get(id) ?? null };
  }
}

function authorOf({ kind, author }: TreeNode): 'user' | 'assistant' | 'system' {
  if (kind === 'model') return 'assistant';
  return author === 'system' ? 'system' : 'user';
}

/** For each node of the last shown path, its child on that path. */
function rememberedChildren({ nodes, active }: LoomTree): ReadonlyMap<string | undefined, string> {
  const remembered = new Map<string | undefined, string>();
  if (active === undefined) return remembered;
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  for (
    let current: string | undefined = active;
    current !== undefined && parents.has(current);
    current = parents.get(current)
  )
    remembered.set(parents.get(current), current);
  return remembered;
}
