import type { Tokens } from './agent.ts';

/** Output of programs, as they print it: nothing about it is certain. */

export type Loose = Readonly<Record<string, unknown>>;

export function jsonLines(text: string): readonly Loose[] {
  return text
    .split('\n')
    .map(parsed)
    .filter((value) => value !== undefined);
}

/** The answer is one document, whatever else was printed around it. */
export function lastJson(text: string): Loose {
  const lines = text.split('\n');
  const last = lines.findLast((line) => parsed(line) !== undefined);
  if (last !== undefined) return parsed(last) as Loose;
  const from = lines.findIndex((line) => line.startsWith('{'));
  const to = lines.findLastIndex((line) => line.startsWith('}'));
  return (from >= 0 && parsed(lines.slice(from, to + 1).join('\n'))) || {};
}

export function parsed(text: string): Loose | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Loose;
  } catch {
    return undefined;
  }
}

export function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {};
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function countIn(...values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (isCount(value) ? value : 0), 0);
}

export function usageOf(promptTokens: number, generatedTokens: number, cost?: unknown): { usage?: Tokens } {
  if (promptTokens + generatedTokens === 0) return {};
  return { usage: { promptTokens, generatedTokens, ...(isCount(cost) && { cost }) } };
}

export function unreadable(stdout: string): { readonly failed: string } {
  const beginning = stdout.trim().slice(0, 200);
  return { failed: beginning === '' ? 'It printed nothing.' : `Its answer could not be read: ${beginning}` };
}

/** Beyond this it is no count, whatever it claims to be: nobody uses that many tokens, or that much money, at a time (M13). */
const MOST = 1e9;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST;
}
