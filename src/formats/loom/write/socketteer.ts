import { parseTime } from '../time.ts';
import type { LoomTree, TreeNode } from '../tree.ts';
import { heddleFieldsOf, heddleTreeFieldsOf, layoutOf } from './heddle-fields.ts';

/** The Python loom's nested JSON, in parts and without recursion: the depth of a loom has no limit. */
export function* writeSocketteer(tree: LoomTree): Generator<string> {
  const { root, rootId, children } = layoutOf(tree);
  yield '{"root":';
  if (root === undefined) {
    yield `${JSON.stringify({ id: rootId, text: '', mutable: false, visited: true }).slice(0, -1)},"children":[`;
    yield* writeNested(children.get(undefined) ?? [], rootId);
    yield ']}';
  } else yield* writeNested([root], undefined);
  const chapters = tree.nodes.flatMap(({ id, bookmark }) => {
    if (bookmark?.label === undefined) return [];
    return [[chapterOf(id), { id: chapterOf(id), root_id: id, title: bookmark.label }] as const];
  });
  const header = {
    title: tree.title,
    ...(tree.system !== undefined && { system_message: tree.system }),
    chapters: Object.fromEntries(chapters),
    selected_node_id: tree.active ?? rootId,
    ...heddleTreeFieldsOf(tree),
  };
  yield `,${JSON.stringify(header).slice(1)}\n`;

  function* writeNested(siblings: readonly TreeNode[], parentId: string | undefined): Generator<string> {
    const stack: { siblings: readonly TreeNode[]; next: number; parentId: string | undefined }[] = [
      { siblings, next: 0, parentId },
    ];
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const node = frame.siblings[frame.next];
      if (node === undefined) {
        stack.pop();
        if (stack.length > 0) yield ']}';
        continue;
      }
      const comma = frame.next++ > 0 ? ',' : '';
      yield `${comma}${JSON.stringify(nodeOf(node, frame.parentId)).slice(0, -1)},"children":[`;
      stack.push({ siblings: children.get(node.id) ?? [], next: 0, parentId: node.id });
    }
  }
}

function nodeOf(node: TreeNode, parentId: string | undefined) {
  const timestamp = node.created && timestampOf(node.created);
  const tags = [...(node.bookmark ? ['bookmark'] : []), ...(node.pruned ? ['archived'] : []), ...(node.tags ?? [])];
  const { created, ...timeless } = node;
  // The timestamp has no fractions of a second.
  const exactNode = created === undefined || parseTime(timestamp) === created ? timeless : node;
  return {
    id: node.id,
    ...(parentId !== undefined && { parent_id: parentId }),
    text: node.content,
    ...(tags.length > 0 && { tags }),
    ...(node.bookmark?.label !== undefined && { chapter_id: chapterOf(node.id) }),
    meta: {
      source: node.kind === 'model' ? 'AI' : 'prompt',
      modified: node.editedFrom !== undefined,
      ...(timestamp && { creation_timestamp: timestamp }),
    },
    ...heddleFieldsOf(exactNode, [
      'author',
      'created',
      'model',
      'editedFrom',
      'sources',
      'note',
      'rating',
      'logprobs',
      'extra',
    ]),
  };
}

function chapterOf(id: string): string {
  return `chapter-${id}`;
}

function timestampOf(created: string): string {
  return created.slice(0, 19).replace('T', '-').replaceAll(':', '.');
}
