import type { CliCommand } from '../command.ts';
import { usageError } from '../failure.ts';

export interface BudgetOptions {
  readonly tokens?: string;
  readonly money?: string;
  readonly seconds?: string;
}

/** Options for the budget a run may use before it pauses and asks. */
export function addBudgetOptions(command: CliCommand): CliCommand {
  return command
    .option('--tokens <n>', 'pause after this many tokens')
    .option('--money <amount>', 'pause at this cost')
    .option('--seconds <n>', 'pause after this many seconds');
}

export function parseBudget({ tokens, money, seconds }: BudgetOptions) {
  const budget = {
    ...(tokens !== undefined && { tokens: parseAmount('--tokens', tokens) }),
    ...(money !== undefined && { money: parseAmount('--money', money) }),
    ...(seconds !== undefined && { seconds: parseAmount('--seconds', seconds) }),
  };
  return Object.keys(budget).length > 0 ? { budget } : {};
}

export function parseAmount(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw usageError(`"${option} ${text}" should be a number above 0.`);
}
