import { pathOwner, shownNodeFor } from '../../../../src/core/loom/graph/path.ts';
import { type OpenLoom, showNode } from '../loom.ts';

interface FillIn {
  /** The node that the model wrote. */
  readonly node: string;
  /** The node that the fill-in leads up to. */
  readonly before: string;
}

/** The last node of the text, if it is a fill-in that leads up to one of its siblings (W20). */
export function findFillIn({ session, me }: OpenLoom): FillIn | undefined {
  const node = session.weave().nodes.at(-1)?.id;
  const state = session.state();
  const generation = node === undefined ? undefined : session.facts.entry(state, node)?.generation;
  const graph = state.graph.read();
  const place = generation === undefined ? undefined : graph.generations.get(generation)?.fills;
  if (node === undefined || place === undefined) return undefined;
  return { node, before: graph.ids[shownNodeFor(graph, pathOwner(graph, me, state.founder), place)]! };
}

/** Shows the following text again, in a version that starts with the fill-in and keeps its author. */
export async function insertFillIn(loom: OpenLoom, { node, before }: FillIn): Promise<void> {
  const { session } = loom;
  const end = session.textOf(node).length;
  await session.goTo(before);
  const sent = await session.command('cherry_pick', { node: before, from: 0, to: 0, source: node, start: 0, end });
  const committed = sent?.events.find(({ type }) => type === 'loom.committed')?.content;
  const [edit] = (committed as { edits: { node: string }[] } | undefined)?.edits ?? [];
  if (edit) showNode(loom, edit.node, end);
}
