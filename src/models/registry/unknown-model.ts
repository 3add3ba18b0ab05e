import { type Refusal, refuse } from '../../core/refusal.ts';
import { nearest } from '../../core/text/nearest.ts';

export function unknownModel(name: string, known: readonly string[]): Refusal {
  const close = nearest(name, known);
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`;
  return refuse('unknown_model', `There is no model "${name}" here.${hint} "heddle models list" shows what there is.`);
}
