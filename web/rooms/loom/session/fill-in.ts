import { ownerOf, shownFor } from '../../../../src/core/loom/graph/path.ts';
import { type Loom, showNode } from '../loom.ts';

interface Filled {
  /** What the model wrote. */
  readonly node: string;
  /** What it was to lead up to. */
  readonly before: string;
}

/** The end of the text, if it was written to lead up to something that stands beside it (W20). */
export function filledAt({ desk, me }: Loom): Filled | undefined {
  const node = desk.weave().nodes.at(-1)?.id;
  const state = desk.state();
  const generation = node === undefined ? undefined : desk.facts.entry(state, node)?.generation;
  const graph = state.graph.look();
  const place = generation === undefined ? undefined : graph.generations.get(generation)?.fills;
  if (node === undefined || place === undefined) return undefined;
  return { node, before: graph.ids[shownFor(graph, ownerOf(graph, me, state.founder), place)]! };
}

/** What followed is shown again, in a version that begins with what was filled in and keeps who wrote it. */
export async function joinFilled(loom: Loom, { node, before }: Filled): Promise<void> {
  const { desk } = loom;
  const end = desk.textOf(node).length;
  await desk.goTo(before);
  const sent = await desk.command('cherry_pick', { node: before, from: 0, to: 0, source: node, start: 0, end });
  const made = sent?.events.find(({ type }) => type === 'loom.committed')?.content;
  const [edit] = (made as { edits: { node: string }[] } | undefined)?.edits ?? [];
  if (edit) showNode(loom, edit.node, end);
}
