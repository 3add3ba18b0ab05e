import type { LoomState } from '../../../../src/core/loom/state.ts';
import type { WeaveNode } from '../../../../src/core/loom/weave/weave.ts';
import { parseStreamNodeId, streamNodeId } from './outbox.ts';

type OpenGeneration = LoomState['openGenerations'][number];

/** My open generations that continue the given node, oldest first; the text of an exploration is never shown by itself. */
export function ownStreamsAt(state: LoomState, me: string, at: string): readonly OpenGeneration[] {
  return state.openGenerations.filter(
    ({ request }) => request.requester === me && request.at === at && request.exploration === undefined,
  );
}

/**
 * The path with the streaming text that belongs to it: the one the user turned to, wherever it grows on the path, or
 * else the first of those at its end.
 */
export function withShownStream(
  path: WeaveNode[],
  state: LoomState,
  me: string,
  turnedTo: string | undefined,
  textOf: (streamId: string) => string,
): WeaveNode[] {
  const streamOf = (id: string) => ({ id, text: textOf(id) });
  const turned = turnedTo === undefined ? undefined : parseStreamNodeId(turnedTo);
  const request = state.openGenerations.find((each) => each.request.generation === turned?.generation)?.request;
  if (turnedTo !== undefined && request?.requester === me) {
    const at = request.at === 'root' ? -1 : path.findLastIndex(({ id }) => id === request.at);
    if (at >= 0 || request.at === 'root') return [...path.slice(0, at + 1), streamOf(turnedTo)];
  }
  const first = ownStreamsAt(state, me, path.at(-1)?.id ?? 'root')[0]?.request.generation;
  return first === undefined ? path : [...path, streamOf(streamNodeId(first, 0))];
}
