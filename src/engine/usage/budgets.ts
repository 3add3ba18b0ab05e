import { type Refusal, refuse } from '../../core/refusal.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Limit } from '../../models/registry/schema.ts';
import { tokensOf, type Usage, type Used } from './usage.ts';

/** Limits in force for one call (M7). */
export interface Budgeted {
  readonly scope: 'run' | 'thread' | 'workspace';
  readonly id: string;
  readonly limit: Limit;
}

/** What a call is known to need before it is made. */
export interface Need {
  readonly tokens: number;
  readonly money: number;
}

/** What was used of each of them. */
export function usedOf(usage: Usage, budgets: readonly Budgeted[]): Promise<readonly Used[]> {
  return Promise.all(budgets.map(({ scope, id }) => usage.of(scope, id)));
}

/**
 * Says no where a budget is used up, or would be by the prompt alone. How long an answer gets nobody knows beforehand,
 * so what is under way may go over by its answers, and nothing begins after that.
 */
export function firstReached(
  budgets: readonly Budgeted[],
  used: readonly Used[],
  need: (budget: Budgeted) => Need,
): Refusal | undefined {
  for (const [i, budget] of budgets.entries()) {
    const refused = reached(budget, used[i] as Used, need(budget));
    if (refused) return refused;
  }
  return undefined;
}

function reached(budget: Budgeted, used: Used, need: Need): Refusal | undefined {
  const { tokens, money: most } = budget.limit;
  const so = tokensOf(used);
  if (tokens !== undefined && so + Math.max(1, need.tokens) > tokens)
    return no(budget, { unit: 'tokens', limit: tokens, used: so, need: need.tokens });
  if (most !== undefined && (used.cost >= most || used.cost + need.money > most))
    return no(budget, { unit: 'money', limit: most, used: used.cost, need: need.money });
  return undefined;
}

interface Amounts {
  readonly unit: 'tokens' | 'money';
  readonly limit: number;
  readonly used: number;
  readonly need: number;
}

function no({ scope, id }: Budgeted, { unit, limit, used, need }: Amounts): Refusal {
  const told = (amount: number) => (unit === 'tokens' ? `${amount}` : formatMoney(amount));
  const so = `${told(used)} of ${told(limit)}${unit === 'tokens' ? ' tokens' : ''}`;
  const what =
    used >= limit ? `is used up: ${so}` : `is too small for this: ${so} are used, and this takes ${told(need)}`;
  const goOn = {
    run: `Start another run, or give runs more ("budgets.run.${unit}" in heddle.yaml, or the run's own).`,
    thread: `To go on, a human raises it: "heddle control ${id} budget ${unit}=N", or "budgets.thread.${unit}" in heddle.yaml.`,
    workspace: `To go on, a human raises it in the page's settings, or as "budgets.workspace.${unit}" in heddle.yaml.`,
  };
  const about = { budget: scope, ...(scope !== 'workspace' && { [scope]: id }), unit, limit, used };
  return refuse('budget_reached', `The budget of this ${scope} ${what}. ${goOn[scope]}`, about);
}
