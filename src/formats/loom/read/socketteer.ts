import { assemble } from '../assemble.ts';
import { chosenIn, drop, dropRest, extraOf, logprobsOf, OURS, oursOf, SETTINGS } from '../extra-fields.ts';
import { type Fields, flag, isObject, list, number, object, own, text, words } from '../fields.ts';
import type { Value } from '../json.ts';
import { type Draft, linkEdits } from '../node-drafts.ts';
import { createReporter, type Reporter } from '../report.ts';
import { timeOf } from '../time.ts';
import type { Imported, TokenLogprob } from '../tree.ts';

/*
 * The first loom, in Python: nodes within nodes under `root`, or just `{text,
 * children}`, or a list of those. Old files have `bookmark` and `archived` as
 * flags, newer ones as tags; chapters name the node they begin at.
 */

const KNOWN = new Set([
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
const SHOWN = new Set(['open', 'visited', 'mutable', 'frame', 'visible', 'x', 'y']);
const META = new Set(['source', 'creation_timestamp', 'generation', 'modified']);
const TOP = ['root', 'chapters', 'selected_node_id', 'model_responses', 'title', 'system_message', OURS];

export function isSocketteer(value: Value): boolean {
  if (isObject(own(value, 'root')))
    return list(own(value, 'root'), 'children') !== undefined || text(own(value, 'root'), 'text') !== undefined;
  const first = Array.isArray(value) ? value[0] : value;
  return list(first, 'children') !== undefined && text(first, 'text') !== undefined;
}

export function readSocketteer(value: Value, name: string): readonly Imported[] {
  const reporter = createReporter('socketteer');
  const top = isObject(value) ? value : {};
  // Without a root of its own the file is one node, whose fields are looked at with the others.
  if (isObject(own(value, 'root'))) dropRest(top, TOP, SETTINGS, reporter);
  const roots = isObject(own(value, 'root')) ? [own(value, 'root') as Fields] : Array.isArray(value) ? value : [value];
  const { drafts, ids, edited } = walk(roots, top, reporter);
  linkEdits(drafts, ids, edited, reporter);
  const responses = own(top, 'model_responses');
  if (isObject(responses) && Object.keys(responses).length > 0)
    drop('model_responses', responses, 'the model and the token probabilities are kept, the rest is not', reporter);
  const selected = text(top, 'selected_node_id');
  const active = selected === undefined ? undefined : ids.get(selected);
  const system = text(top, 'system_message');
  const title = words(top, 'title') ?? name;
  const chosen = chosenIn(top).flatMap((id) => ids.get(id) ?? []);
  const root = roots.length === 1 ? 0 : undefined;
  return [assemble({ title, drafts, active, chosen, system, root }, reporter)];
}

function walk(roots: readonly Value[], top: Fields, reporter: Reporter) {
  const drafts: Draft[] = [];
  const ids = new Map<string, number>();
  const edited: (string | undefined)[] = [];
  const open: { node: Value; parent: number | undefined }[] = [];
  for (let i = roots.length - 1; i >= 0; i--) open.push({ node: roots[i] as Value, parent: undefined });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    if (!isObject(node)) {
      // A text alone is a node without anything else.
      if (typeof node === 'string') drafts.push({ content: node, parent, kind: 'human' });
      else
        reporter.problem(
          'Something that is not a node stands among the children.',
          parent === undefined ? undefined : drafts[parent]?.id,
        );
      continue;
    }
    const index = drafts.length;
    const { draft, original } = draftFrom(node, parent, top, reporter);
    drafts.push(draft);
    if (draft.id !== undefined && !ids.has(draft.id)) ids.set(draft.id, index);
    edited[index] = original;
    const children = list(node, 'children') ?? [];
    for (let i = children.length - 1; i >= 0; i--) open.push({ node: children[i] as Value, parent: index });
  }
  return { drafts, ids, edited };
}

function draftFrom(node: Fields, parent: number | undefined, top: Fields, reporter: Reporter) {
  const meta = object(node, 'meta');
  const { editedFrom: original, ...ours } = oursOf(node, extraOf(node, KNOWN, SHOWN, reporter));
  const source = text(meta, 'source');
  if (source === 'mixed')
    reporter.problem(
      'A node is part model, part person; which part is whose is not told, so it is the model’s.',
      text(node, 'id'),
    );
  if (meta) dropMeta(meta, reporter);
  const generation = object(node, 'generation') ?? object(meta, 'generation');
  const response = object(object(top, 'model_responses'), text(generation, 'id') ?? '');
  const completion = list(response, 'completions')?.[number(generation, 'index') ?? 0];
  const tags = (list(node, 'tags') ?? []).filter((tag) => typeof tag === 'string');
  const chapter = object(object(top, 'chapters'), text(node, 'chapter_id') ?? '');
  const label = words(chapter, 'title');
  const bookmarked = tags.includes('bookmark') || flag(node, 'bookmark') || chapter !== undefined;
  const rest = tags.filter((tag) => tag !== 'bookmark' && tag !== 'archived');
  if (flag(node, 'canonical')) rest.push('canonical');
  const content = text(node, 'text');
  if (content === undefined) reporter.problem('A node has no text; it is empty.', text(node, 'id'));
  const draft: Draft = {
    id: text(node, 'id'),
    parent,
    content: content ?? '',
    kind:
      source === 'AI' || source === 'mixed' || (source === undefined && generation !== undefined) ? 'model' : 'human',
    created: timeOf(own(meta, 'creation_timestamp')),
    model: words(response, 'model') ?? words(generation, 'model'),
    logprobs: tokensOf(completion, content),
    bookmark: bookmarked ? (label === undefined ? {} : { label }) : undefined,
    tags: rest.length > 0 ? rest : undefined,
    pruned: tags.includes('archived') || flag(node, 'archived') || undefined,
    ...ours,
  };
  return { draft, original };
}

function dropMeta(meta: Fields, reporter: Reporter) {
  for (const key of Object.keys(meta))
    if (!META.has(key) && meta[key] !== null) drop(`meta.${key}`, meta[key], 'a loom here has no such field', reporter);
}

/** Only where they still spell the text: an edit makes them another text's. */
function tokensOf(completion: Value | undefined, content: string | undefined): readonly TokenLogprob[] | undefined {
  const tokens = list(completion, 'tokens')?.map((token) => {
    const counterfactuals = object(token, 'counterfactuals') ?? {};
    const top = Object.entries(counterfactuals).map(([other, logprob]) => ({ token: other, logprob }));
    return { ...(object(token, 'generatedToken') ?? {}), top } as Value;
  });
  const found = logprobsOf(tokens);
  return found?.map(({ token }) => token).join('') === content ? found : undefined;
}
