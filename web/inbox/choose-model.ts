import type { WireModel } from '../../src/client/index.ts';

/** The default model for minds, or else the first one that is ready; none if its name cannot be an id. */
export function chooseModel<Model extends Pick<WireModel, 'name' | 'state' | 'default_for'>>(
  models: readonly Model[],
): Model | undefined {
  const ready = models.filter(({ state }) => state.code === 'ready');
  const model = ready.find(({ default_for }) => default_for.includes('mind')) ?? ready[0];
  return model && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(model.name) ? model : undefined;
}
