import { type Refusal, refuse } from '../refusal.ts';

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
