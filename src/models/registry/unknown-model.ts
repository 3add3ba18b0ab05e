import { type Refusal, refuse } from '../../core/refusal.ts';
import { closestName } from '../../core/text/nearest.ts';

export function unknownModel(name: string, names: readonly string[]): Refusal {
  const closest = closestName(name, names);
  const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`;
  return refuse('unknown_model', `There is no model "${name}".${hint} "heddle models list" lists all models.`);
}
