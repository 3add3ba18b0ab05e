import type { Context } from '../decider.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** Refuses the ids of persons: the server writes for a model under the model's own id (T22). */
export function checkNotHuman(ids: readonly unknown[], { credentialKind }: Context): Refusal | undefined {
  const person = ids.find((id) => typeof id === 'string' && credentialKind(id) === 'human');
  if (person === undefined) return undefined;
  return refuse(
    'forbidden',
    `${person} is a person here, and only that person writes under that ID. Choose another ID.`,
    { participant: person as string },
  );
}
