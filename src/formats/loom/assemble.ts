import { cutCycles, type NodeDraft } from './node-drafts.ts';
import type { ImportReporter } from './report.ts';
import { removeSecrets } from './secrets.ts';
import { firstVersionsOf, type ImportedLoom, type TreeNode } from './tree.ts';

/*
 * Builds a consistent tree from the nodes of a file: ids are unique, every
 * parent exists and comes first, there are no cycles, every text can be
 * stored. The report lists every repair; no node is left out.
 */

export interface LoomDraft {
  readonly title: string;
  readonly drafts: readonly NodeDraft[];
  readonly active?: number | undefined;
  /** The versions shown at their places. */
  readonly chosen?: readonly number[];
  readonly system?: string | undefined;
  /** The draft that only holds the others; if it is empty, it becomes the loom's own root. */
  readonly root?: number | undefined;
}

type MutableNode<T> = { -readonly [K in keyof T]: T[K] };

/** An event holds 1 MiB, and one character may take six bytes of it. */
const MAX_NODE_CHARS = 150_000;
const MAX_ID_CHARS = 200;
const MAX_NOTE_CHARS = 10_000;
const MAX_TAGS = 100;
const MAX_TOKENS = 20_000;

export function assembleLoom(loom: LoomDraft, reporter: ImportReporter): ImportedLoom {
  const { drafts } = loom;
  cutCycles(drafts, reporter);
  const hiddenRoot = findEmptyRoot(loom, reporter);
  const usedIds = new IdPool();
  const ids = uniqueIds(drafts, usedIds, reporter);
  const nodes: TreeNode[] = [];
  const firstIds: (string | undefined)[] = new Array(drafts.length);
  const lastIds: (string | undefined)[] = new Array(drafts.length);
  for (const index of depthFirstOrder(drafts)) {
    if (index === hiddenRoot) continue;
    const draft = drafts[index] as NodeDraft;
    const id = ids[index] as string;
    const parent = draft.parent === undefined ? undefined : lastIds[draft.parent];
    const text = toStorable(draft.content, id, reporter);
    const pieces = text.length > MAX_NODE_CHARS ? splitText(text) : undefined;
    const node = nodeOf(draft, id, parent, pieces?.[0] ?? text, reporter);
    // The tokens would still contain the removed text.
    if (text !== draft.content || pieces) delete node.logprobs;
    firstIds[index] = id;
    lastIds[index] = id;
    if (draft.editedFrom !== undefined && !pieces) linkVersion(node, draft.editedFrom, draft.parent);
    nodes.push(node);
    if (pieces === undefined) continue;
    reporter.noteProblem('A text was too long for one node and was split into several.', id);
    for (const [piece, content] of pieces.entries()) {
      if (piece === 0) continue;
      const { kind, author, created, model } = draft;
      const nextDraft = { content, kind, author, created, model } as NodeDraft;
      const nextId = usedIds.fresh(`${id}/${piece + 1}`);
      nodes.push(nodeOf(nextDraft, nextId, lastIds[index], content, reporter));
      lastIds[index] = nextId;
    }
  }
  const active = loom.active === undefined ? undefined : lastIds[loom.active];
  const chosen = chosenVersions(nodes, new Set((loom.chosen ?? []).map((index) => lastIds[index])));
  reportSources(drafts, firstIds, nodes, reporter);
  const system =
    loom.system && shorten(toStorable(loom.system, 'system', reporter), MAX_NODE_CHARS, 'system', reporter);
  const title = toStorable(loom.title, 'title', reporter)
    .replaceAll(/[\r\n\t]+/g, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
  return {
    tree: {
      title: title || 'Imported loom',
      nodes,
      ...(active !== undefined && { active }),
      ...(chosen.length > 0 && { chosen }),
      ...(system && { system }),
    },
    report: reporter.report(drafts.length),
  };

  function linkVersion(node: MutableNode<TreeNode>, original: number, parent: number | undefined) {
    const id = firstIds[original];
    if (id !== undefined && drafts[original]?.parent === parent && lastIds[original] === id) node.editedFrom = id;
    else reporter.noteProblem('A version is not at the same place as its original; it became a branch.', node.id);
  }
}

/** At most one version per place, and only if it is not the latest, which is the default. */
function chosenVersions(nodes: readonly TreeNode[], chosenIds: ReadonlySet<string | undefined>): readonly string[] {
  if (chosenIds.size === 0) return [];
  const firstVersions = firstVersionsOf(nodes);
  const latest = new Map<string | undefined, string>();
  for (const { id } of nodes) latest.set(firstVersions.get(id), id);
  const chosen = new Map<string | undefined, string>();
  for (const { id } of nodes) if (chosenIds.has(id)) chosen.set(firstVersions.get(id), id);
  return [...chosen].flatMap(([place, id]) => (latest.get(place) === id ? [] : [id]));
}

/**
 * A node follows all versions of its parent here too. Other sources, from a split or a merge, are lost and reported.
 */
function reportSources(
  drafts: readonly NodeDraft[],
  ids: readonly (string | undefined)[],
  nodes: readonly TreeNode[],
  reporter: ImportReporter,
) {
  if (!drafts.some(({ sources }) => sources)) return;
  const firstVersions = firstVersionsOf(nodes);
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  for (const [index, { sources }] of drafts.entries()) {
    const parent = parents.get(ids[index] ?? '');
    const lostCount = (sources ?? []).filter((id) => firstVersions.get(id) !== firstVersions.get(parent ?? '')).length;
    if (lostCount > 0) {
      reporter.noteDropped(
        'sources',
        'after a split or a merge several places led to a node; it follows the one shown',
        lostCount,
      );
    }
  }
}

function findEmptyRoot({ root, drafts }: LoomDraft, reporter: ImportReporter): number | undefined {
  const draft = root === undefined ? undefined : drafts[root];
  if (draft === undefined || draft.content !== '' || draft.parent !== undefined) return undefined;
  const { bookmark, note, rating, tags, pruned } = draft;
  for (const [field, value] of Object.entries({ bookmark, note, rating, tags, pruned }))
    if (value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
      reporter.noteDropped(`root.${field}`, 'the empty root is not shown, so nothing can be marked on it');
  return root;
}

function uniqueIds(drafts: readonly NodeDraft[], usedIds: IdPool, reporter: ImportReporter): readonly string[] {
  const ids: string[] = new Array(drafts.length);
  drafts.forEach(({ id }, index) => {
    if (id !== undefined && isUsableId(id) && usedIds.take(id)) ids[index] = id;
  });
  drafts.forEach(({ id }, index) => {
    if (ids[index] !== undefined) return;
    const newId = usedIds.fresh(id !== undefined && isUsableId(id) ? id : `node-${index + 1}`);
    if (id === undefined) reporter.noteProblem('A node has no ID; it got one.', newId);
    else if (isUsableId(id)) reporter.noteProblem('Two nodes have the same ID; the later one got another.', id);
    else reporter.noteProblem('An ID is not valid; the node got another.', newId);
    ids[index] = newId;
  });
  return ids;
}

function isUsableId(id: string): boolean {
  return (
    id !== '' && id.length <= MAX_ID_CHARS && id.isWellFormed() && !id.includes('\0') && removeSecrets(id).count === 0
  );
}

/** Creates unique ids. It continues from the last number used, so a million nodes with one id take linear time. */
class IdPool {
  readonly #taken = new Set<string>();
  readonly #tried = new Map<string, number>();

  take(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }

  fresh(preferred: string): string {
    if (this.take(preferred)) return preferred;
    let n = this.#tried.get(preferred) ?? 1;
    do n++;
    while (!this.take(`${preferred}-${n}`));
    this.#tried.set(preferred, n);
    return `${preferred}-${n}`;
  }
}

/** Depth first, by linked lists instead of recursion. */
function depthFirstOrder(drafts: readonly NodeDraft[]): Int32Array {
  const count = drafts.length;
  const byRank = Array.from({ length: count }, (_, index) => index);
  if (drafts.some(({ rank }) => rank !== undefined))
    byRank.sort((a, b) => (drafts[a]?.rank ?? Infinity) - (drafts[b]?.rank ?? Infinity) || a - b);
  // Index 0 heads the list of nodes that follow the root.
  const firstChild = new Int32Array(count + 1).fill(-1);
  const nextSibling = new Int32Array(count).fill(-1);
  for (let i = count - 1; i >= 0; i--) {
    const index = byRank[i] as number;
    const parent = (drafts[index]?.parent ?? -1) + 1;
    nextSibling[index] = firstChild[parent] as number;
    firstChild[parent] = index;
  }
  const order = new Int32Array(count);
  const stack: number[] = [];
  let current = firstChild[0] as number;
  for (let filled = 0; filled < count; filled++) {
    order[filled] = current;
    const sibling = nextSibling[current] as number;
    if (sibling >= 0) stack.push(sibling);
    const child = firstChild[current + 1] as number;
    current = child >= 0 ? child : (stack.pop() ?? -1);
  }
  return order;
}

function toStorable(text: string, where: string, reporter: ImportReporter): string {
  const { text: clean, count } = removeSecrets(text);
  if (count > 0) {
    reporter.noteSecrets(count);
    reporter.noteProblem('A text contained a key or a token; it was removed.', where);
  }
  if (clean.isWellFormed() && !clean.includes('\0')) return clean;
  reporter.noteProblem('A text contained a NUL or half a surrogate pair; it was replaced by U+FFFD.', where);
  return clean.toWellFormed().replaceAll('\0', '\ufffd');
}

function nodeOf(draft: NodeDraft, id: string, parent: string | undefined, content: string, reporter: ImportReporter) {
  const toClean = (value: string, maxLength = MAX_ID_CHARS) =>
    shorten(toStorable(value, id, reporter), maxLength, id, reporter);
  const { author, kind, created, model, bookmark, tags, pruned, note, rating, logprobs, extra } = draft;
  const node: MutableNode<TreeNode> = { id, content, kind };
  if (parent !== undefined) node.parent = parent;
  if (author !== undefined) node.author = toClean(author);
  if (created !== undefined) node.created = created;
  if (model !== undefined) node.model = toClean(model);
  if (bookmark) node.bookmark = bookmark.label === undefined ? {} : { label: toClean(bookmark.label) };
  if (tags && tags.length > 0) node.tags = [...new Set(tags.slice(0, MAX_TAGS).map((tag) => toClean(tag)))];
  if (pruned) node.pruned = true;
  if (note !== undefined) node.note = toClean(note, MAX_NOTE_CHARS);
  if (rating !== undefined) node.rating = rating;
  if (logprobs && logprobs.length > 0 && logprobs.length <= MAX_TOKENS) node.logprobs = logprobs;
  if (extra) node.extra = extra;
  return node;
}

function shorten(text: string, maxLength: number, where: string, reporter: ImportReporter): string {
  if (text.length <= maxLength) return text;
  reporter.noteProblem('A name, a note or instructions were too long; their beginning was kept.', where);
  return text.slice(0, maxLength).toWellFormed();
}

function splitText(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > MAX_NODE_CHARS) {
    const line = text.lastIndexOf('\n', from + MAX_NODE_CHARS - 1) + 1;
    let to = line > from + MAX_NODE_CHARS / 2 ? line : from + MAX_NODE_CHARS;
    const lastUnit = text.charCodeAt(to - 1);
    if (lastUnit >= 0xd800 && lastUnit <= 0xdbff) to--;
    pieces.push(text.slice(from, to));
    from = to;
  }
  pieces.push(text.slice(from));
  return pieces;
}
