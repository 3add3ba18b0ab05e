import type { Exploration } from '../state.ts';

export interface ScoredNode {
  readonly node: string;
  readonly score: number;
}

/** The exploration after one of its generations finished. New nodes join the frontier unless they are too deep. */
export function advanceExploration(
  exploration: Exploration,
  newNodes: readonly ScoredNode[],
  tokens: number,
): Exploration {
  const { step, ...rest } = exploration;
  const depth = (step?.depth ?? 0) + 1;
  const frontierNodes = depth < exploration.depth ? newNodes.map((each) => ({ ...each, depth })) : [];
  return {
    ...rest,
    nodesMade: exploration.nodesMade + newNodes.length,
    tokensUsed: exploration.tokensUsed + tokens,
    frontier: [...exploration.frontier, ...frontierNodes],
  };
}

export function startExplorationStep(exploration: Exploration, node: string, generation: string): Exploration {
  const depth = exploration.frontier.find((each) => each.node === node)?.depth ?? 0;
  return {
    ...exploration,
    frontier: exploration.frontier.filter((each) => each.node !== node),
    step: { generation, depth },
  };
}

/** The next step: the best node so far with as many continuations as the budget allows, or the reason to end. */
export function nextStep(
  exploration: Exploration,
): { readonly node: string; readonly n: number } | { readonly over: string } {
  const { frontier, nodesMade, tokensUsed, nodes, tokens, breadth } = exploration;
  if (nodesMade >= nodes) return { over: `limit of ${nodesMade} nodes reached` };
  if (tokens !== undefined && tokensUsed >= tokens) return { over: `token limit reached, ${tokensUsed} generated` };
  let best = frontier[0];
  for (const each of frontier) if (best && each.score > best.score) best = each;
  if (!best) return { over: 'depth limit reached' };
  return { node: best.node, n: Math.min(breadth, nodes - nodesMade) };
}

/** Novelty from 0 (the same words as one of the others) to 1 (no words in common with any). */
export function noveltyOf(text: string, others: readonly string[]): number {
  const words = wordsOf(text);
  let closest = 0;
  for (const other of others) closest = Math.max(closest, similarity(words, wordsOf(other)));
  return 1 - closest;
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1;
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  return common / (one.size + other.size - common);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .slice(0, 4096)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}
