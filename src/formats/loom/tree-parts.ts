import type { z } from 'zod';
import type { importedNode } from '../../core/loom/events.ts';
import { ROOT } from '../../core/loom/graph/graph.ts';
import { createReporter } from './report.ts';
import type { Imported, ImportReport, LoomTree, TokenLogprob, TreeNode } from './tree.ts';

export type ImportedNode = z.infer<typeof importedNode>;

/** What one event can hold of a tree: an event is at most 1 MiB. */
export interface TreePart {
  readonly nodes: ImportedNode[];
  readonly active?: string;
  readonly chosen?: string[];
}

export interface TreeParts {
  readonly parts: Iterable<TreePart>;
  readonly total: number;
  /** The report of the file, with what our own nodes have no room for. */
  report(): ImportReport;
}

const PART_BYTES = 512 * 1024;
/** Storing a part is one step, for which everybody waits (T23). */
const PART_NODES = 2_000;
const NODE_BYTES = 900 * 1024;
const ID = /^[\w.-]{1,64}$/;
const LONGEST_NAME = 128;
const MOST_TAGS = 64;
const LONGEST_TAG = 64;
const MOST_TOKENS = 10_000;

/** A tree as the nodes of ours that it becomes, in parts; the last one says which node is shown (W26, W27). */
export function partsOfTree({ tree, report }: Imported): TreeParts {
  const reporter = createReporter(report.format);
  const { nodes } = tree;
  const names = namesOf(nodes, (id) =>
    reporter.problem('An id is not made of letters, digits, ".", "_" and "-"; the node was given another.', id),
  );
  const active = tree.active ?? firstTip(tree);

  function* parts(): Generator<TreePart> {
    let part: ImportedNode[] = [];
    let bytes = 0;
    for (const node of nodes) {
      const [made, size] = fitted(nodeOf(node));
      if (part.length > 0 && (bytes + size > PART_BYTES || part.length === PART_NODES)) {
        yield { nodes: part };
        part = [];
        bytes = 0;
      }
      part.push(made);
      bytes += size;
    }
    const chosen = (tree.chosen ?? []).map(names);
    for (let from = 0; from < chosen.length - PART_NODES; from += PART_NODES) {
      yield { nodes: part, chosen: chosen.slice(from, from + PART_NODES) };
      part = [];
    }
    const last = chosen.slice(-(chosen.length % PART_NODES || PART_NODES));
    yield {
      nodes: part,
      ...(active !== undefined && { active: names(active) }),
      ...(chosen.length > 0 && { chosen: last }),
    };
  }

  function nodeOf(node: TreeNode): ImportedNode {
    const { content, kind, created, pruned, note, rating, bookmark, extra } = node;
    const tags = tagsOf(node.tags ?? []);
    const tokens = node.logprobs && tokensOf(node.logprobs);
    return {
      id: names(node.id),
      content,
      kind,
      ...(node.parent !== undefined && { parent: names(node.parent) }),
      ...(node.author && { author: cut(node.author, 'author') }),
      ...(created !== undefined && { created }),
      ...(node.editedFrom !== undefined && { edited_from: names(node.editedFrom) }),
      ...(node.model && { model: cut(node.model, 'model') }),
      ...(bookmark && { bookmark: bookmark.label ?? '' }),
      ...(tags.length > 0 && { tags }),
      ...(pruned && { pruned: true as const }),
      ...(rating !== undefined && { rating }),
      ...(note !== undefined && { note }),
      ...(tokens && { tokens }),
      ...(extra && { extra }),
    };
  }

  function cut(name: string, field: string): string {
    if (name.length <= LONGEST_NAME) return name;
    reporter.dropped(field, `its beginning was kept: it was longer than ${LONGEST_NAME} characters`);
    return name.slice(0, LONGEST_NAME).toWellFormed();
  }

  function tagsOf(given: readonly string[]): string[] {
    const tags = new Set(given.map((tag) => tag.trim().slice(0, LONGEST_TAG).toWellFormed()).filter(Boolean));
    const kept = [...tags].slice(0, MOST_TAGS);
    if (kept.length < tags.size)
      reporter.dropped('tags', `a node can have ${MOST_TAGS} of them`, tags.size - kept.length);
    return kept;
  }

  function tokensOf(given: readonly TokenLogprob[]): ImportedNode['tokens'] {
    if (given.length > MOST_TOKENS) {
      reporter.dropped('logprobs', `a node can have ${MOST_TOKENS} of them`);
      return undefined;
    }
    return given.map(({ token, logprob, top }) => [
      token,
      logprob ?? null,
      (top ?? []).map((other): [string, number] => [other.token, other.logprob]),
    ]);
  }

  /** What explains a text gives way to it. */
  function fitted(node: ImportedNode): [ImportedNode, number] {
    let size = sizeOf(node);
    for (const field of ['tokens', 'extra'] as const) {
      if (size <= NODE_BYTES || node[field] === undefined) continue;
      delete node[field];
      reporter.dropped(field === 'tokens' ? 'logprobs' : 'extra', 'with them the node is larger than an event may be');
      size = sizeOf(node);
    }
    return [node, size];
  }

  return {
    parts: parts(),
    total: nodes.length,
    report() {
      const own = reporter.report(0);
      return {
        ...report,
        dropped: [...report.dropped, ...own.dropped],
        problems: [...report.problems, ...own.problems],
      };
    },
  };
}

function sizeOf(node: ImportedNode): number {
  return Buffer.byteLength(JSON.stringify(node));
}

/** Ids as ours are written; whoever has another kind gets one that nobody has. */
function namesOf(nodes: readonly TreeNode[], changed: (id: string) => void): (id: string) => string {
  const others = nodes.filter(({ id }) => !ID.test(id) || id === ROOT);
  if (others.length === 0) return (id) => id;
  const taken = new Set(nodes.map(({ id }) => id));
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { id } of others) {
    const wanted = id.replace(/[^\w.-]+/g, '-').slice(0, 48) || 'node';
    let name = wanted;
    let n = counts.get(wanted) ?? 1;
    while (taken.has(name) || name === ROOT) name = `${wanted}-${++n}`;
    counts.set(wanted, n);
    taken.add(name);
    given.set(id, name);
    changed(id);
  }
  return (id) => given.get(id) ?? id;
}

/** Where a reader who always takes the first branch comes to. */
function firstTip({ nodes }: LoomTree): string | undefined {
  let tip: string | undefined;
  // Parents come first and siblings in their order, so the first child of the tip is the first one met.
  for (const { id, parent, editedFrom } of nodes) if (parent === tip && editedFrom === undefined) tip = id;
  return tip;
}
