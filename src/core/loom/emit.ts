import type { EventMeta, Json, NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { AuthorKind } from './graph/graph.ts';

/** An event of this loom. What is undefined is left out. */
export function emit({ thread }: ModeContext, type: string, content: object, meta?: EventMeta): NewEvent {
  const fields = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  return { thread: thread.id, type, content: fields as Json, ...(meta && { meta }) };
}

export function authorKindOf({ actor }: ModeContext): AuthorKind {
  return actor.kind === 'human' ? 'human' : 'model';
}

export function refuseUnknownNode(id: string): Refusal {
  return refuse('unknown_node', `There is no node ${id.slice(0, 64)} in this loom.`, { node: id.slice(0, 64) });
}

export function refuseOffPath(id: string): Refusal {
  return refuse(
    'not_on_path',
    `The node ${id} is not on your path, so it cannot be changed from there. Nothing was changed; switch to it first.`,
    { node: id },
  );
}
