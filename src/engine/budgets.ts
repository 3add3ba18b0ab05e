import { type Refusal, refuse } from '../core/refusal.ts';
import type { Limit } from '../models/registry-schema.ts';
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

function reached({ scope, id, limit }: Budgeted, used: Used, need: Need): Refusal | undefined {
  const about = { budget: scope, ...(scope === 'thread' && { thread: id }), ...(scope === 'run' && { run: id }) };
  if (limit.tokens !== undefined && tokensOf(used) + Math.max(1, need.tokens) > limit.tokens) {
    return refuse('budget_reached', sentence(scope, `${limit.tokens} tokens`, `${tokensOf(used)}`, 'tokens'), {
      ...about,
      limit: limit.tokens,
      used: tokensOf(used),
      unit: 'tokens',
    });
  }
  const spent = limit.money !== undefined && (used.cost >= limit.money || used.cost + need.money > limit.money);
  if (limit.money === undefined || !spent) return undefined;
  return refuse('budget_reached', sentence(scope, `${money(limit.money)} of money`, money(used.cost), 'money'), {
    ...about,
    limit: limit.money,
    used: used.cost,
    unit: 'money',
  });
}

function sentence(scope: Budgeted['scope'], limit: string, used: string, unit: 'tokens' | 'money'): string {
  const goOn = {
    run: `Start another run, or give runs more ("budgets.run.${unit}" in heddle.yaml, or the run's own).`,
    thread: `To go on, a human raises it: "heddle control THREAD budget ${unit}=N", or "budgets.thread.${unit}" in heddle.yaml.`,
    workspace: `To go on, a human raises it in the page's settings, or as "budgets.workspace.${unit}" in heddle.yaml.`,
  };
  return `The budget of this ${scope}, ${limit}, is used up or too small for what was to be asked: ${used} were used. ${goOn[scope]}`;
}

function money(amount: number): string {
  return amount.toFixed(amount < 1 ? 4 : 2);
}
