import { type Refusal, refuse } from '../../core/refusal.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Registry } from '../../models/registry/registry.ts';
import type { SpendingLimit } from '../../models/registry/schema.ts';
import { tokensOf, type UsageStore, type UsageTotals } from './usage.ts';

/** Limits in force for one call (M7). */
export interface ActiveBudget {
  readonly scope: 'run' | 'thread' | 'workspace';
  readonly id: string;
  readonly limit: SpendingLimit;
}

/** Budgets set for the thread and the run; the settings supply the defaults. */
export interface CallBudgets {
  readonly thread?: CallBudget | undefined;
  readonly run?: CallBudget | undefined;
  /** The thread from which an agent created this one: usage here counts there as well. */
  readonly payer?: { readonly thread: string; readonly limit: CallBudget };
}

interface CallBudget {
  readonly tokens?: number | undefined;
  readonly money?: number | undefined;
}

interface BudgetedCall {
  readonly thread?: string;
  readonly run?: string;
  readonly budgets?: CallBudgets;
}

/** The default budget of a run on a priced model, if neither the run nor the settings set one (D31). */
const DEFAULT_RUN_BUDGET: CallBudget = { money: 1 };

/** A money limit applies only to models that cost money. */
export function activeBudgets(
  { thread, run, budgets = {} }: BudgetedCall,
  defaults: ReturnType<Registry['budgets']>,
  isFree: boolean,
): readonly ActiveBudget[] {
  const hasOwnLimit = budgets.run?.tokens !== undefined || budgets.run?.money !== undefined;
  const runDefault = defaults.run ?? (hasOwnLimit ? undefined : DEFAULT_RUN_BUDGET);
  const limits = [
    { scope: 'run', id: run, own: budgets.run, usual: runDefault },
    { scope: 'thread', id: thread, own: budgets.thread, usual: defaults.thread },
    { scope: 'thread', id: budgets.payer?.thread, own: budgets.payer?.limit, usual: defaults.thread },
    { scope: 'workspace', id: 'all', own: undefined, usual: defaults.workspace },
  ] as const;
  return limits.flatMap(({ scope, id, own, usual }) => {
    const tokens = own?.tokens ?? usual?.tokens;
    const money = own?.money ?? usual?.money;
    const limit = { ...(tokens !== undefined && { tokens }), ...(money !== undefined && !isFree && { money }) };
    return id === undefined ? [] : [{ scope, id, limit }];
  });
}

/** The known need of a call before it is made. */
export interface BudgetNeed {
  readonly tokens: number;
  readonly money: number;
}

export function usageOfBudgets(store: UsageStore, budgets: readonly ActiveBudget[]): Promise<readonly UsageTotals[]> {
  return Promise.all(budgets.map(({ scope, id }) => store.of(scope, id)));
}

/**
 * Refuses if a budget is used up, or would be by the prompt alone. The length of an answer is unknown beforehand, so
 * calls in progress may exceed the budget by their answers; nothing starts after that.
 */
export function checkBudgets(
  budgets: readonly ActiveBudget[],
  totals: readonly UsageTotals[],
  need: (budget: ActiveBudget) => BudgetNeed,
  currency: string,
): Refusal | undefined {
  for (const [i, budget] of budgets.entries()) {
    const refusal = checkBudget(budget, totals[i] as UsageTotals, need(budget), currency);
    if (refusal) return refusal;
  }
  return undefined;
}

function checkBudget(
  budget: ActiveBudget,
  totals: UsageTotals,
  need: BudgetNeed,
  currency: string,
): Refusal | undefined {
  const { tokens, money: moneyLimit } = budget.limit;
  const tokensUsed = tokensOf(totals);
  if (tokens !== undefined && tokensUsed + Math.max(1, need.tokens) > tokens)
    return budgetRefusal(budget, { unit: 'tokens', limit: tokens, used: tokensUsed, need: need.tokens, currency });
  if (moneyLimit !== undefined && (totals.cost >= moneyLimit || totals.cost + need.money > moneyLimit))
    return budgetRefusal(budget, { unit: 'money', limit: moneyLimit, used: totals.cost, need: need.money, currency });
  return undefined;
}

interface BudgetAmounts {
  readonly unit: 'tokens' | 'money';
  readonly limit: number;
  readonly used: number;
  readonly need: number;
  readonly currency: string;
}

function budgetRefusal({ scope, id }: ActiveBudget, { unit, limit, used, need, currency }: BudgetAmounts): Refusal {
  const formatAmount = (amount: number) => (unit === 'tokens' ? `${amount}` : formatMoney(amount, currency));
  const ratio = `${formatAmount(used)} of ${formatAmount(limit)}${unit === 'tokens' ? ' tokens' : ''}`;
  const what =
    used >= limit
      ? `is used up: ${ratio}`
      : `is too small for this: ${ratio} are used, and this takes ${formatAmount(need)}`;
  const advice = {
    run: `Start another run, or give runs more ("budgets.run.${unit}" in heddle.yaml, or the run's own).`,
    thread: `To continue, ask a human to raise it: "heddle control ${id} budget ${unit}=N", or "budgets.thread.${unit}" in heddle.yaml.`,
    workspace: `To continue, ask a human to raise it in the page's settings, or as "budgets.workspace.${unit}" in heddle.yaml.`,
  };
  const details = { budget: scope, ...(scope !== 'workspace' && { [scope]: id }), unit, limit, used };
  return refuse('budget_reached', `The budget of this ${scope} ${what}. ${advice[scope]}`, details);
}
