import { cutCircles, type Draft } from './node-drafts.ts';
import type { Reporter } from './report.ts';
import { withoutSecrets } from './secrets.ts';
import type { Imported, TreeNode } from './tree.ts';

/*
 * From what a file says to a tree that holds together: ids are unique, every
 * parent exists and comes first, nothing leads in a circle, every text can be
 * stored. Whatever had to be mended is in the report; no node is left out.
 */

export interface Read {
  readonly title: string;
  readonly drafts: readonly Draft[];
  readonly active?: number | undefined;
  /** Versions that were shown at their places. */
  readonly chosen?: readonly number[];
  readonly system?: string | undefined;
  /** The draft that is only there to hold the others; if empty it becomes the loom's own root. */
  readonly root?: number | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An event holds 1 MiB, and one character may take six bytes of it. */
const LONGEST = 150_000;
const LONGEST_ID = 200;
const LONGEST_NOTE = 10_000;
const MOST_TAGS = 100;
const MOST_TOKENS = 20_000;

export function assemble(read: Read, reporter: Reporter): Imported {
  const { drafts } = read;
  cutCircles(drafts, reporter);
  const invisible = emptyRoot(read, reporter);
  const taken = new Ids();
  const ids = uniqueIds(drafts, taken, reporter);
  const nodes: TreeNode[] = [];
  const first: (string | undefined)[] = new Array(drafts.length);
  const last: (string | undefined)[] = new Array(drafts.length);
  for (const index of inOrder(drafts)) {
    if (index === invisible) continue;
    const draft = drafts[index] as Draft;
    const id = ids[index] as string;
    const parent = draft.parent === undefined ? undefined : last[draft.parent];
    const text = storable(draft.content, id, reporter);
    const pieces = text.length > LONGEST ? piecesOf(text) : undefined;
    const node = nodeOf(draft, id, parent, pieces?.[0] ?? text, reporter);
    // Tokens would spell what was taken out of the text.
    if (text !== draft.content || pieces) delete node.logprobs;
    first[index] = id;
    last[index] = id;
    if (draft.editedFrom !== undefined && !pieces) setVersion(node, draft.editedFrom, draft.parent);
    nodes.push(node);
    if (pieces === undefined) continue;
    reporter.problem('A text longer than one node may hold was put into several in a row.', id);
    for (const [piece, content] of pieces.entries()) {
      if (piece === 0) continue;
      const { kind, author, created, model } = draft;
      const following = { content, kind, author, created, model } as Draft;
      const next = taken.fresh(`${id}/${piece + 1}`);
      nodes.push(nodeOf(following, next, last[index], content, reporter));
      last[index] = next;
    }
  }
  const active = read.active === undefined ? undefined : last[read.active];
  const chosen = chosenIn(nodes, new Set((read.chosen ?? []).map((index) => last[index])));
  reportSources(drafts, first, nodes, reporter);
  const system = read.system && shortened(storable(read.system, 'system', reporter), LONGEST, 'system', reporter);
  const title = storable(read.title, 'title', reporter)
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

  function setVersion(node: Mutable<TreeNode>, original: number, parent: number | undefined) {
    const id = first[original];
    if (id !== undefined && drafts[original]?.parent === parent && last[original] === id) node.editedFrom = id;
    else reporter.problem('A version does not stand beside the node it was made from; it became a branch.', node.id);
  }
}

/** Of each place one, and only where it is not the latest, which is shown anyway. */
function chosenIn(nodes: readonly TreeNode[], wanted: ReadonlySet<string | undefined>): readonly string[] {
  if (wanted.size === 0) return [];
  const firsts = firstsOf(nodes);
  const latest = new Map<string | undefined, string>();
  for (const { id } of nodes) latest.set(firsts.get(id), id);
  const chosen = new Map<string | undefined, string>();
  for (const { id } of nodes) if (wanted.has(id)) chosen.set(firsts.get(id), id);
  return [...chosen].flatMap(([place, id]) => (latest.get(place) === id ? [] : [id]));
}

/** By node, the first of its place. */
function firstsOf(nodes: readonly TreeNode[]): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  for (const { id, editedFrom } of nodes) firsts.set(id, firsts.get(editedFrom ?? '') ?? id);
  return firsts;
}

/** All versions of its parent a node follows here too; what a split or a merge let it follow besides is lost, and told. */
function reportSources(
  drafts: readonly Draft[],
  ids: readonly (string | undefined)[],
  nodes: readonly TreeNode[],
  reporter: Reporter,
) {
  if (!drafts.some(({ sources }) => sources)) return;
  const firsts = firstsOf(nodes);
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  for (const [index, { sources }] of drafts.entries()) {
    const parent = parents.get(ids[index] ?? '');
    const lost = (sources ?? []).filter((id) => firsts.get(id) !== firsts.get(parent ?? '')).length;
    if (lost > 0) {
      reporter.dropped(
        'sources',
        'after a split or a merge several places led to a node; it follows the one shown',
        lost,
      );
    }
  }
}

function emptyRoot({ root, drafts }: Read, reporter: Reporter): number | undefined {
  const draft = root === undefined ? undefined : drafts[root];
  if (draft === undefined || draft.content !== '' || draft.parent !== undefined) return undefined;
  const { bookmark, note, rating, tags, pruned } = draft;
  for (const [field, value] of Object.entries({ bookmark, note, rating, tags, pruned }))
    if (value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
      reporter.dropped(`root.${field}`, 'the empty root is not shown, so nothing can be marked on it');
  return root;
}

function uniqueIds(drafts: readonly Draft[], taken: Ids, reporter: Reporter): readonly string[] {
  const ids: string[] = new Array(drafts.length);
  drafts.forEach(({ id }, index) => {
    if (id !== undefined && usable(id) && taken.take(id)) ids[index] = id;
  });
  drafts.forEach(({ id }, index) => {
    if (ids[index] !== undefined) return;
    const made = taken.fresh(id !== undefined && usable(id) ? id : `node-${index + 1}`);
    if (id === undefined) reporter.problem('A node has no id; it was given one.', made);
    else if (usable(id)) reporter.problem('Two nodes have the same id; the later one was given another.', id);
    else reporter.problem('An id cannot be used; the node was given another.', made);
    ids[index] = made;
  });
  return ids;
}

function usable(id: string): boolean {
  return (
    id !== '' && id.length <= LONGEST_ID && id.isWellFormed() && !id.includes('\0') && withoutSecrets(id).count === 0
  );
}

/** Counts on from the last number it gave: a million nodes of one id take a million steps, not their square. */
class Ids {
  readonly #taken = new Set<string>();
  readonly #tried = new Map<string, number>();

  take(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }

  fresh(wanted: string): string {
    if (this.take(wanted)) return wanted;
    let n = this.#tried.get(wanted) ?? 1;
    do n++;
    while (!this.take(`${wanted}-${n}`));
    this.#tried.set(wanted, n);
    return `${wanted}-${n}`;
  }
}

/** Depth first, by linked lists instead of recursion. */
function inOrder(drafts: readonly Draft[]): Int32Array {
  const count = drafts.length;
  const byRank = Array.from({ length: count }, (_, index) => index);
  if (drafts.some(({ rank }) => rank !== undefined))
    byRank.sort((a, b) => (drafts[a]?.rank ?? Infinity) - (drafts[b]?.rank ?? Infinity) || a - b);
  // Place 0 heads the list of those that follow the root.
  const firstChild = new Int32Array(count + 1).fill(-1);
  const nextSibling = new Int32Array(count).fill(-1);
  for (let i = count - 1; i >= 0; i--) {
    const index = byRank[i] as number;
    const parent = (drafts[index]?.parent ?? -1) + 1;
    nextSibling[index] = firstChild[parent] as number;
    firstChild[parent] = index;
  }
  const order = new Int32Array(count);
  const open: number[] = [];
  let at = firstChild[0] as number;
  for (let filled = 0; filled < count; filled++) {
    order[filled] = at;
    const sibling = nextSibling[at] as number;
    if (sibling >= 0) open.push(sibling);
    const child = firstChild[at + 1] as number;
    at = child >= 0 ? child : (open.pop() ?? -1);
  }
  return order;
}

function storable(text: string, where: string, reporter: Reporter): string {
  const { text: clean, count } = withoutSecrets(text);
  if (count > 0) {
    reporter.secrets(count);
    reporter.problem('A text held a key or a token; it was taken out.', where);
  }
  if (clean.isWellFormed() && !clean.includes('\0')) return clean;
  reporter.problem('A text held a NUL or half a surrogate pair; U+FFFD stands there now.', where);
  return clean.toWellFormed().replaceAll('\0', '\ufffd');
}

function nodeOf(draft: Draft, id: string, parent: string | undefined, content: string, reporter: Reporter) {
  const clean = (value: string, longest = LONGEST_ID) =>
    shortened(storable(value, id, reporter), longest, id, reporter);
  const { author, kind, created, model, bookmark, tags, pruned, note, rating, logprobs, extra } = draft;
  const node: Mutable<TreeNode> = { id, content, kind };
  if (parent !== undefined) node.parent = parent;
  if (author !== undefined) node.author = clean(author);
  if (created !== undefined) node.created = created;
  if (model !== undefined) node.model = clean(model);
  if (bookmark) node.bookmark = bookmark.label === undefined ? {} : { label: clean(bookmark.label) };
  if (tags && tags.length > 0) node.tags = [...new Set(tags.slice(0, MOST_TAGS).map((tag) => clean(tag)))];
  if (pruned) node.pruned = true;
  if (note !== undefined) node.note = clean(note, LONGEST_NOTE);
  if (rating !== undefined) node.rating = rating;
  if (logprobs && logprobs.length > 0 && logprobs.length <= MOST_TOKENS) node.logprobs = logprobs;
  if (extra) node.extra = extra;
  return node;
}

function shortened(text: string, longest: number, where: string, reporter: Reporter): string {
  if (text.length <= longest) return text;
  reporter.problem('A name, a note or instructions were too long; their beginning was kept.', where);
  return text.slice(0, longest).toWellFormed();
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > LONGEST) {
    const line = text.lastIndexOf('\n', from + LONGEST - 1) + 1;
    let to = line > from + LONGEST / 2 ? line : from + LONGEST;
    const before = text.charCodeAt(to - 1);
    if (before >= 0xd800 && before <= 0xdbff) to--;
    pieces.push(text.slice(from, to));
    from = to;
  }
  pieces.push(text.slice(from));
  return pieces;
}
