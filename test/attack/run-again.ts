import type { Store } from './attack.ts';
import type { Finding } from './report.ts';
import { tactics } from './tactics.ts';

/** How to see a finding again: the tactics that ran when it was made, or all that were wanted. */
export function commandFor({ tactic, seed }: Finding, store: Store, wanted: readonly string[] = []): string {
  const blamed = tactic.split(' + ').filter((name) => tactics.some((each) => each.name === name));
  const only = (blamed.length > 0 ? blamed : wanted).map((name) => ` --only ${name}`).join('');
  return `npm run attack -- --store ${store} --seed ${seed}${only}`;
}
