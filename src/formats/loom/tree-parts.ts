import type { z } from 'zod';
import type { importedNodeSchema } from '../../core/loom/events.ts';
import { ROOT } from '../../core/loom/graph/graph.ts';
import { createImportReporter } from './report.ts';
import type { ImportedLoom, LoomImportReport, LoomTree, TokenLogprob, TreeNode } from './tree.ts';

export type ImportedTreeNode = z.infer<typeof importedNodeSchema>;

/** The part of a tree that fits into one event of at most 1 MiB. */
export interface TreePart {
  readonly nodes: ImportedTreeNode[];
  readonly active?: string;
  readonly chosen?: string[];
}

export interface TreeParts {
  readonly parts: Iterable<TreePart>;
  readonly total: number;
  /** The report of the file, including data that does not fit into our nodes. */
  report(): LoomImportReport;
}

const PART_BYTES = 512 * 1024;
/** Storing a part blocks everything else, so parts are limited (T23). */
const PART_NODES = 2_000;
const NODE_BYTES = 900 * 1024;
const ID_PATTERN = /^[\w.-]{1,64}$/;
const MAX_NAME_CHARS = 128;
const MAX_TAGS = 64;
const MAX_TAG_CHARS = 64;
const MAX_TOKENS = 10_000;

/** Converts a tree to our nodes, in parts; the last part says which node is shown (W26, W27). */
export function partsOfTree({ tree, report }: ImportedLoom): TreeParts {
  const reporter = createImportReporter(report.format);
  const { nodes } = tree;
  const newIdOf = createIdMap(nodes, (id) =>
    reporter.noteProblem(
      'An ID contains characters other than letters, digits, ".", "_" and "-"; the node got another.',
      id,
    ),
  );
  const active = tree.active ?? firstTip(tree);

  function* parts(): Generator<TreePart> {
    let partNodes: ImportedTreeNode[] = [];
    let bytes = 0;
    for (const node of nodes) {
      const [fittedNode, size] = fitNode(nodeOf(node));
      if (partNodes.length > 0 && (bytes + size > PART_BYTES || partNodes.length === PART_NODES)) {
        yield { nodes: partNodes };
        partNodes = [];
        bytes = 0;
      }
      partNodes.push(fittedNode);
      bytes += size;
    }
    const chosen = (tree.chosen ?? []).map(newIdOf);
    for (let from = 0; from < chosen.length - PART_NODES; from += PART_NODES) {
      yield { nodes: partNodes, chosen: chosen.slice(from, from + PART_NODES) };
      partNodes = [];
    }
    const lastChosen = chosen.slice(-(chosen.length % PART_NODES || PART_NODES));
    yield {
      nodes: partNodes,
      ...(active !== undefined && { active: newIdOf(active) }),
      ...(chosen.length > 0 && { chosen: lastChosen }),
    };
  }

  function nodeOf(node: TreeNode): ImportedTreeNode {
    const { content, kind, created, pruned, note, rating, bookmark, extra } = node;
    const tags = tagsOf(node.tags ?? []);
    const tokens = node.logprobs && tokensOf(node.logprobs);
    return {
      id: newIdOf(node.id),
      content,
      kind,
      ...(node.parent !== undefined && { parent: newIdOf(node.parent) }),
      ...(node.author && { author: truncate(node.author, 'author') }),
      ...(created !== undefined && { created }),
      ...(node.editedFrom !== undefined && { edited_from: newIdOf(node.editedFrom) }),
      ...(node.model && { model: truncate(node.model, 'model') }),
      ...(bookmark && { bookmark: bookmark.label ?? '' }),
      ...(tags.length > 0 && { tags }),
      ...(pruned && { pruned: true as const }),
      ...(rating !== undefined && { rating }),
      ...(note !== undefined && { note }),
      ...(tokens && { tokens }),
      ...(extra && { extra }),
    };
  }

  function truncate(name: string, field: string): string {
    if (name.length <= MAX_NAME_CHARS) return name;
    reporter.noteDropped(field, `its beginning was kept: it was longer than ${MAX_NAME_CHARS} characters`);
    return name.slice(0, MAX_NAME_CHARS).toWellFormed();
  }

  function tagsOf(rawTags: readonly string[]): string[] {
    const tags = new Set(rawTags.map((tag) => tag.trim().slice(0, MAX_TAG_CHARS).toWellFormed()).filter(Boolean));
    const keptTags = [...tags].slice(0, MAX_TAGS);
    if (keptTags.length < tags.size)
      reporter.noteDropped('tags', `a node can have ${MAX_TAGS} of them`, tags.size - keptTags.length);
    return keptTags;
  }

  function tokensOf(logprobs: readonly TokenLogprob[]): ImportedTreeNode['tokens'] {
    if (logprobs.length > MAX_TOKENS) {
      reporter.noteDropped('logprobs', `a node can have ${MAX_TOKENS} of them`);
      return undefined;
    }
    return logprobs.map(({ token, logprob, top }) => [
      token,
      logprob ?? null,
      (top ?? []).map((other): [string, number] => [other.token, other.logprob]),
    ]);
  }

  /** Drops tokens, then extra fields, if the node is too large; the text always stays. */
  function fitNode(node: ImportedTreeNode): [ImportedTreeNode, number] {
    let size = sizeOf(node);
    for (const field of ['tokens', 'extra'] as const) {
      if (size <= NODE_BYTES || node[field] === undefined) continue;
      delete node[field];
      reporter.noteDropped(
        field === 'tokens' ? 'logprobs' : 'extra',
        'with them the node is larger than an event may be',
      );
      size = sizeOf(node);
    }
    return [node, size];
  }

  return {
    parts: parts(),
    total: nodes.length,
    report() {
      const ownReport = reporter.report(0);
      return {
        ...report,
        dropped: [...report.dropped, ...ownReport.dropped],
        problems: [...report.problems, ...ownReport.problems],
      };
    },
  };
}

function sizeOf(node: ImportedTreeNode): number {
  return Buffer.byteLength(JSON.stringify(node));
}

/** Maps ids to our format; an id in another format is replaced by an unused one. */
function createIdMap(nodes: readonly TreeNode[], onRename: (id: string) => void): (id: string) => string {
  const renamedNodes = nodes.filter(({ id }) => !ID_PATTERN.test(id) || id === ROOT);
  if (renamedNodes.length === 0) return (id) => id;
  const usedIds = new Set(nodes.map(({ id }) => id));
  const newIds = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { id } of renamedNodes) {
    const baseId = id.replace(/[^\w.-]+/g, '-').slice(0, 48) || 'node';
    let newId = baseId;
    let suffix = counts.get(baseId) ?? 1;
    while (usedIds.has(newId) || newId === ROOT) newId = `${baseId}-${++suffix}`;
    counts.set(baseId, suffix);
    usedIds.add(newId);
    newIds.set(id, newId);
    onRename(id);
  }
  return (id) => newIds.get(id) ?? id;
}

/** The end of the path that always takes the first branch. */
function firstTip({ nodes }: LoomTree): string | undefined {
  let tip: string | undefined;
  // Parents come first and siblings in their order, so the first child of the tip is the first one met.
  for (const { id, parent, editedFrom } of nodes) if (parent === tip && editedFrom === undefined) tip = id;
  return tip;
}
