import { assemble } from '../assemble.ts';
import { dropRest, extraOf, SETTINGS } from '../extra-fields.ts';
import { type Fields, isObject, list, object, own, text, words } from '../fields.ts';
import type { Value } from '../json.ts';
import { cutCircles, type Draft, linkParents, rankChildren } from '../node-drafts.ts';
import { createReporter, type Reporter } from '../report.ts';
import { timeOf } from '../time.ts';
import type { Imported } from '../tree.ts';
import { nodesOf } from './nodes.ts';
import { appendedBy, applyHunks, hunksOf } from './patch.ts';

/*
 * miniloom: every node is a patch to the whole text of its parent. One that only
 * adds becomes a node with what it adds. One that changes what stood before
 * becomes a branch from where the text is still the same, so that the text up to
 * every node is what it was there.
 */

const KNOWN = new Set(['id', 'timestamp', 'type', 'patch', 'summary', 'rating', 'parent', 'children', 'model']);
const SHOWN = new Set(['read', 'finishReason', 'error', 'cachedRenderText']);
/** How many characters and nodes may be looked through to fit the patches of one file. */
const PATCH_WORK = 1e9;

export function isMiniloom(value: Value): boolean {
  return isObject(own(own(value, 'loomTree') ?? null, 'nodeStore')) || isObject(own(value, 'nodeStore'));
}

export function readMiniloom(value: Value, name: string): readonly Imported[] {
  const reporter = createReporter('miniloom');
  const top = value as Fields;
  dropRest(top, ['loomTree', 'focus', 'nodeStore', 'title'], SETTINGS, reporter);
  const nodes = nodesOf(own(object(top, 'loomTree') ?? top, 'nodeStore'), reporter);
  const drafts = nodes.map(({ id, node }): Draft => {
    const type = text(node, 'type');
    const rating = own(node, 'rating');
    const summary = words(node, 'summary');
    return {
      id,
      content: '',
      kind: type === 'gen' || type === 'rewrite' ? 'model' : 'human',
      model: words(node, 'model'),
      created: timeOf(own(node, 'timestamp')),
      rating: rating === true ? 1 : rating === false ? -1 : typeof rating === 'number' ? rating : undefined,
      note: type === 'root' ? undefined : summary,
      extra: extraOf(node, KNOWN, SHOWN, reporter),
    };
  });
  const places = linkParents(
    drafts,
    nodes.map(({ node }) => text(node, 'parent')),
    reporter,
  );
  rankChildren(drafts, places, (index) => list(nodes[index]?.node, 'children'));
  cutCircles(drafts, reporter);
  renderAll(
    drafts,
    nodes.map(({ node }) => own(node, 'patch')),
    reporter,
  );
  const focus = text(own(top, 'focus') ?? null, 'id') ?? text(top, 'focus') ?? '';
  const roots = nodes.flatMap(({ node }, index) => (text(node, 'type') === 'root' ? [index] : []));
  const title = words(top, 'title') ?? name;
  return [assemble({ title, drafts, active: places.get(focus), root: roots[0] }, reporter)];
}

/** Turns patches into contents, parents first. */
function renderAll(drafts: Draft[], patches: readonly (Value | undefined)[], reporter: Reporter) {
  const lengths = new Float64Array(drafts.length);
  let work = 0;
  for (const index of parentsFirst(drafts)) {
    const draft = drafts[index] as Draft;
    const { parent } = draft;
    const length = parent === undefined ? 0 : (lengths[parent] as number);
    const hunks = hunksOf(patches[index]);
    const added = hunks && appendedBy(hunks, length, (tail) => textBefore(parent, tail.length) === tail);
    if (added !== undefined) {
      fill(index, added, length);
      continue;
    }
    const cost = length * ((hunks?.length ?? 0) + 1);
    const document = hunks === undefined || work + cost > PATCH_WORK ? undefined : textBefore(parent, length);
    work += cost;
    const result = document === undefined ? undefined : applyHunks(document, hunks ?? []);
    if (document === undefined || result === undefined) {
      reporter.problem('A patch does not fit the text it was made for; what it adds follows its parent.', draft.id);
      fill(index, (hunks ?? []).map(({ before, after }) => insertedBy(before, after)).join(''), length);
    } else rebase(index, document, result);
  }

  /** The last characters of the text up to a node, without building the whole of it; undefined if that takes too long. */
  function textBefore(node: number | undefined, length: number): string | undefined {
    const parts: string[] = [];
    let missing = length;
    for (let at = node; at !== undefined && missing > 0; at = drafts[at]?.parent) {
      const content = drafts[at]?.content ?? '';
      parts.push(content.slice(Math.max(0, content.length - missing)));
      missing -= content.length;
      work += 100;
      if (work > PATCH_WORK) return undefined;
    }
    return parts.reverse().join('');
  }

  function rebase(index: number, document: string, result: string) {
    const draft = drafts[index] as Draft;
    const same = commonStart(document, result);
    let at = draft.parent;
    while (at !== undefined && (lengths[at] as number) > same) {
      at = drafts[at]?.parent;
      work += 100;
    }
    if (at !== draft.parent) {
      reporter.problem('A node changes earlier text; it became a branch from before the change.', draft.id);
      const from = drafts[draft.parent as number]?.id;
      drafts[index] = {
        ...draft,
        parent: at,
        rank: undefined,
        ...(from && { extra: { ...draft.extra, changed: from } }),
      };
    }
    const kept = at === undefined ? 0 : (lengths[at] as number);
    fill(index, result.slice(kept), kept);
  }

  function fill(index: number, content: string, before: number) {
    drafts[index] = { ...(drafts[index] as Draft), content };
    lengths[index] = before + content.length;
  }
}

/** Places in an order in which every parent comes first. */
function parentsFirst(drafts: readonly Draft[]): readonly number[] {
  const seen = new Uint8Array(drafts.length);
  const order: number[] = [];
  const chain: number[] = [];
  drafts.forEach((_, start) => {
    let at: number | undefined = start;
    while (at !== undefined && seen[at] === 0) {
      seen[at] = 1;
      chain.push(at);
      at = drafts[at]?.parent;
    }
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) order.push(next);
  });
  return order;
}

function insertedBy(before: string, after: string): string {
  const start = commonStart(before, after);
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return after.slice(start, after.length - end);
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same;
}
