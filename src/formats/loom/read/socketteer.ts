import { assembleLoom } from '../assemble.ts';
import {
  chosenVersionIds,
  collectExtra,
  dropField,
  dropUnknown,
  HEDDLE_KEY,
  OTHER_SETTINGS,
  parseLogprobs,
  readHeddleFields,
} from '../extra-fields.ts';
import {
  getField,
  getFlag,
  getList,
  getNumber,
  getObject,
  getText,
  getTrimmed,
  isObject,
  type JsonFields,
} from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { linkEdits, type NodeDraft } from '../node-drafts.ts';
import { createImportReporter, type ImportReporter } from '../report.ts';
import { parseTime } from '../time.ts';
import type { ImportedLoom, TokenLogprob } from '../tree.ts';
import { contentOf } from './nodes.ts';

/*
 * The first loom, in Python: nodes within nodes under `root`, or just `{text,
 * children}`, or a list of those. Old files have `bookmark` and `archived` as
 * flags, newer ones as tags; chapters name the node they begin at.
 */

const KNOWN_FIELDS = new Set([
  'id',
  'parent_id',
  'text',
  'children',
  'tags',
  'chapter_id',
  'meta',
  'generation',
  'bookmark',
  'archived',
  'canonical',
]);
const VIEW_FIELDS = new Set(['open', 'visited', 'mutable', 'frame', 'visible', 'x', 'y']);
const META_FIELDS = new Set(['source', 'creation_timestamp', 'generation', 'modified']);
const TOP_FIELDS = ['root', 'chapters', 'selected_node_id', 'model_responses', 'title', 'system_message', HEDDLE_KEY];

export function isSocketteer(value: JsonValue): boolean {
  if (isObject(getField(value, 'root')))
    return (
      getList(getField(value, 'root'), 'children') !== undefined ||
      getText(getField(value, 'root'), 'text') !== undefined
    );
  const first = Array.isArray(value) ? value[0] : value;
  return getList(first, 'children') !== undefined && getText(first, 'text') !== undefined;
}

export function readSocketteer(value: JsonValue, name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('socketteer');
  const top = isObject(value) ? value : {};
  // Without `root`, the file itself is a node, and its fields are checked with those of the other nodes.
  if (isObject(getField(value, 'root'))) dropUnknown(top, TOP_FIELDS, OTHER_SETTINGS, reporter);
  const roots = isObject(getField(value, 'root'))
    ? [getField(value, 'root') as JsonFields]
    : Array.isArray(value)
      ? value
      : [value];
  const { drafts, ids } = readNodes(roots, top, reporter);
  linkEdits(drafts, ids, reporter);
  const responses = getField(top, 'model_responses');
  if (isObject(responses) && Object.keys(responses).length > 0)
    dropField(
      'model_responses',
      responses,
      'the model and the token probabilities are kept, the rest is not',
      reporter,
    );
  const selected = getText(top, 'selected_node_id');
  const active = selected === undefined ? undefined : ids.get(selected);
  const system = getText(top, 'system_message');
  const title = getTrimmed(top, 'title') ?? name;
  const chosen = chosenVersionIds(top).flatMap((id) => ids.get(id) ?? []);
  const root = roots.length === 1 ? 0 : undefined;
  return [assembleLoom({ title, drafts, active, chosen, system, root }, reporter)];
}

function readNodes(roots: readonly JsonValue[], top: JsonFields, reporter: ImportReporter) {
  const drafts: NodeDraft[] = [];
  const ids = new Map<string, number>();
  const stack: { node: JsonValue; parent: number | undefined }[] = [];
  for (let i = roots.length - 1; i >= 0; i--) stack.push({ node: roots[i] as JsonValue, parent: undefined });
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next;
    if (!isObject(node)) {
      // A bare string is a node with only a text.
      if (typeof node === 'string') drafts.push({ content: node, parent, kind: 'human' });
      else
        reporter.noteProblem(
          'Something among the children is not a node.',
          parent === undefined ? undefined : drafts[parent]?.id,
        );
      continue;
    }
    const index = drafts.length;
    const draft = readDraft(node, parent, top, reporter);
    drafts.push(draft);
    if (draft.id !== undefined && !ids.has(draft.id)) ids.set(draft.id, index);
    const children = getList(node, 'children') ?? [];
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i] as JsonValue, parent: index });
  }
  return { drafts, ids };
}

function readDraft(node: JsonFields, parent: number | undefined, top: JsonFields, reporter: ImportReporter): NodeDraft {
  const meta = getObject(node, 'meta');
  const source = getText(meta, 'source');
  if (source === 'mixed')
    reporter.noteProblem(
      'A node was written partly by a model and partly by a person; the file does not say which part, so it counts as the model’s.',
      getText(node, 'id'),
    );
  if (meta) dropMeta(meta, reporter);
  const generation = getObject(node, 'generation') ?? getObject(meta, 'generation');
  const response = getObject(getObject(top, 'model_responses'), getText(generation, 'id') ?? '');
  const completion = getList(response, 'completions')?.[getNumber(generation, 'index') ?? 0];
  const tags = (getList(node, 'tags') ?? []).filter((tag) => typeof tag === 'string');
  const chapter = getObject(getObject(top, 'chapters'), getText(node, 'chapter_id') ?? '');
  const label = getTrimmed(chapter, 'title');
  const isBookmarked = tags.includes('bookmark') || getFlag(node, 'bookmark') || chapter !== undefined;
  const otherTags = tags.filter((tag) => tag !== 'bookmark' && tag !== 'archived');
  if (getFlag(node, 'canonical')) otherTags.push('canonical');
  const content = getText(node, 'text');
  const id = getText(node, 'id');
  return {
    id,
    parent,
    content: contentOf(content, id, reporter),
    kind:
      source === 'AI' || source === 'mixed' || (source === undefined && generation !== undefined) ? 'model' : 'human',
    created: parseTime(getField(meta, 'creation_timestamp')),
    model: getTrimmed(response, 'model') ?? getTrimmed(generation, 'model'),
    logprobs: logprobsOfText(completion, content),
    bookmark: isBookmarked ? (label === undefined ? {} : { label }) : undefined,
    tags: otherTags.length > 0 ? otherTags : undefined,
    pruned: tags.includes('archived') || getFlag(node, 'archived') || undefined,
    ...readHeddleFields(node, collectExtra(node, KNOWN_FIELDS, VIEW_FIELDS, reporter)),
  };
}

function dropMeta(meta: JsonFields, reporter: ImportReporter) {
  for (const key of Object.keys(meta))
    if (!META_FIELDS.has(key) && meta[key] !== null)
      dropField(`meta.${key}`, meta[key], 'Heddle has no such field', reporter);
}

/** Keeps log probabilities only if the tokens still spell the text; after an edit they do not. */
function logprobsOfText(
  completion: JsonValue | undefined,
  content: string | undefined,
): readonly TokenLogprob[] | undefined {
  const tokens = getList(completion, 'tokens')?.map((token) => {
    const counterfactuals = getObject(token, 'counterfactuals') ?? {};
    const top = Object.entries(counterfactuals).map(([other, logprob]) => ({ token: other, logprob }));
    return { ...(getObject(token, 'generatedToken') ?? {}), top } as JsonValue;
  });
  const logprobs = parseLogprobs(tokens);
  return logprobs?.map(({ token }) => token).join('') === content ? logprobs : undefined;
}
