import { assembleLoom } from '../assemble.ts';
import { collectExtra, dropUnknown, OTHER_SETTINGS } from '../extra-fields.ts';
import { getField, getObject, getText, getTrimmed, isObject, type JsonFields } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { cutCycles, type NodeDraft } from '../node-drafts.ts';
import { createImportReporter, type ImportReporter } from '../report.ts';
import { parseTime } from '../time.ts';
import type { ImportedLoom } from '../tree.ts';
import { linkNodes, readNodes } from './nodes.ts';
import { appendedText, applyHunks, parseHunks } from './patch.ts';

/*
 * miniloom: every node is a patch to the whole text of its parent. A patch
 * that only appends becomes a node with the added text. A patch that changes
 * earlier text becomes a branch from the point where the text is still the same,
 * so that the full text up to every node is preserved.
 */

const KNOWN_FIELDS = new Set(['id', 'timestamp', 'type', 'patch', 'summary', 'rating', 'parent', 'children', 'model']);
const VIEW_FIELDS = new Set(['read', 'finishReason', 'error', 'cachedRenderText']);
/** The maximum number of characters and nodes to search while applying the patches of one file. */
const MAX_PATCH_WORK = 1e9;

export function isMiniloom(value: JsonValue): boolean {
  return isObject(getField(getField(value, 'loomTree') ?? null, 'nodeStore')) || isObject(getField(value, 'nodeStore'));
}

export function readMiniloom(value: JsonValue, name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('miniloom');
  const top = value as JsonFields;
  dropUnknown(top, ['loomTree', 'focus', 'nodeStore', 'title'], OTHER_SETTINGS, reporter);
  const nodes = readNodes(getField(getObject(top, 'loomTree') ?? top, 'nodeStore'), reporter);
  const drafts = nodes.map(({ id, node }): NodeDraft => {
    const type = getText(node, 'type');
    const rating = getField(node, 'rating');
    const summary = getTrimmed(node, 'summary');
    return {
      id,
      content: '',
      kind: type === 'gen' || type === 'rewrite' ? 'model' : 'human',
      model: getTrimmed(node, 'model'),
      created: parseTime(getField(node, 'timestamp')),
      rating: rating === true ? 1 : rating === false ? -1 : typeof rating === 'number' ? rating : undefined,
      note: type === 'root' ? undefined : summary,
      extra: collectExtra(node, KNOWN_FIELDS, VIEW_FIELDS, reporter),
    };
  });
  const indexById = linkNodes(drafts, nodes, { parentField: 'parent', childrenField: 'children' }, reporter);
  cutCycles(drafts, reporter);
  renderContents(
    drafts,
    nodes.map(({ node }) => getField(node, 'patch')),
    reporter,
  );
  const focus = getText(getField(top, 'focus') ?? null, 'id') ?? getText(top, 'focus') ?? '';
  const roots = nodes.flatMap(({ node }, index) => (getText(node, 'type') === 'root' ? [index] : []));
  const title = getTrimmed(top, 'title') ?? name;
  return [assembleLoom({ title, drafts, active: indexById.get(focus), root: roots[0] }, reporter)];
}

/** Turns patches into contents, parents first. */
function renderContents(drafts: NodeDraft[], patches: readonly (JsonValue | undefined)[], reporter: ImportReporter) {
  const lengths = new Float64Array(drafts.length);
  let workDone = 0;
  for (const index of parentsFirst(drafts)) {
    const draft = drafts[index] as NodeDraft;
    const { parent } = draft;
    const length = parent === undefined ? 0 : (lengths[parent] as number);
    const hunks = parseHunks(patches[index]);
    const appended = hunks && appendedText(hunks, length, (tail) => textUpTo(parent, tail.length) === tail);
    if (appended !== undefined) {
      setContent(index, appended, length);
      continue;
    }
    const cost = length * ((hunks?.length ?? 0) + 1);
    const document = hunks === undefined || workDone + cost > MAX_PATCH_WORK ? undefined : textUpTo(parent, length);
    workDone += cost;
    const result = document === undefined ? undefined : applyHunks(document, hunks ?? []);
    if (document === undefined || result === undefined) {
      reporter.noteProblem('A patch does not fit the text it was made for; what it adds follows its parent.', draft.id);
      setContent(index, (hunks ?? []).map(({ before, after }) => insertedText(before, after)).join(''), length);
    } else rebase(index, document, result);
  }

  /** The last characters of the text up to a node, without building the whole of it; undefined if that takes too long. */
  function textUpTo(node: number | undefined, length: number): string | undefined {
    const parts: string[] = [];
    let remaining = length;
    for (let current = node; current !== undefined && remaining > 0; current = drafts[current]?.parent) {
      const content = drafts[current]?.content ?? '';
      parts.push(content.slice(Math.max(0, content.length - remaining)));
      remaining -= content.length;
      workDone += 100;
      if (workDone > MAX_PATCH_WORK) return undefined;
    }
    return parts.reverse().join('');
  }

  function rebase(index: number, document: string, result: string) {
    const draft = drafts[index] as NodeDraft;
    const sharedLength = commonStart(document, result);
    let current = draft.parent;
    while (current !== undefined && (lengths[current] as number) > sharedLength) {
      current = drafts[current]?.parent;
      workDone += 100;
    }
    if (current !== draft.parent) {
      reporter.noteProblem('A node changes earlier text; it became a branch from before the change.', draft.id);
      const changedId = drafts[draft.parent as number]?.id;
      drafts[index] = {
        ...draft,
        parent: current,
        rank: undefined,
        ...(changedId && { extra: { ...draft.extra, changed: changedId } }),
      };
    }
    const keptLength = current === undefined ? 0 : (lengths[current] as number);
    setContent(index, result.slice(keptLength), keptLength);
  }

  function setContent(index: number, content: string, startLength: number) {
    drafts[index] = { ...(drafts[index] as NodeDraft), content };
    lengths[index] = startLength + content.length;
  }
}

/** Indexes in an order with every parent before its children. */
function parentsFirst(drafts: readonly NodeDraft[]): readonly number[] {
  const visited = new Uint8Array(drafts.length);
  const order: number[] = [];
  const chain: number[] = [];
  drafts.forEach((_, start) => {
    let current: number | undefined = start;
    while (current !== undefined && visited[current] === 0) {
      visited[current] = 1;
      chain.push(current);
      current = drafts[current]?.parent;
    }
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) order.push(next);
  });
  return order;
}

function insertedText(before: string, after: string): string {
  const start = commonStart(before, after);
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return after.slice(start, after.length - end);
}

function commonStart(a: string, b: string): number {
  const maxLength = Math.min(a.length, b.length);
  let sharedLength = 0;
  while (sharedLength < maxLength && a.charCodeAt(sharedLength) === b.charCodeAt(sharedLength)) sharedLength++;
  return sharedLength;
}
