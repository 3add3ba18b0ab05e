import type { ThreadMind } from './schema.ts';

/** Ids that nobody chose. */
const DEFAULT_ID = /^mind_\d{1,9}$/;

interface NamedMind {
  readonly name: string;
  readonly model: string;
}

/**
 * What people read in place of the ids of a thread's minds (T37): a mind that nobody named is called by its model, and
 * by a number too if there are several of that model. A name that somebody else in the thread goes by is not used.
 */
export function nameMinds(
  minds: readonly ThreadMind[],
  defaultModel: (role: ThreadMind['role']) => string,
  others: Iterable<string> = [],
): Readonly<Record<string, NamedMind>> {
  const taken = new Set([...others, ...minds.filter(({ id }) => !DEFAULT_ID.test(id)).map(({ id }) => id)]);
  const withModels = minds.map(({ id, role, model }) => ({ id, model: model ?? defaultModel(role) }));
  const unnamed = withModels.filter(({ id }) => DEFAULT_ID.test(id));
  return Object.fromEntries(
    withModels.map(({ id, model }) => {
      const alike = unnamed.filter((mind) => mind.model === model);
      const place = alike.findIndex((mind) => mind.id === id);
      const name = alike.length > 1 ? `${model} ${place + 1}` : model;
      return [id, { name: place < 0 || taken.has(name) ? id : name, model }];
    }),
  );
}
