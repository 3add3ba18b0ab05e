import type { AgentUsage } from './agent.ts';

/** Parsers for program output. They trust nothing about its shape. */

export type LooseObject = Readonly<Record<string, unknown>>;

export function parseJsonLines(text: string): readonly LooseObject[] {
  return text
    .split('\n')
    .map(parseObject)
    .filter((value) => value !== undefined);
}

/** Finds the one JSON document that is the answer, whatever else the program printed around it. */
export function parseLastJson(text: string): LooseObject {
  const lines = text.split('\n');
  const lastLine = lines.findLast((line) => parseObject(line) !== undefined);
  if (lastLine !== undefined) return parseObject(lastLine) as LooseObject;
  const from = lines.findIndex((line) => line.startsWith('{'));
  const to = lines.findLastIndex((line) => line.startsWith('}'));
  return (from >= 0 && parseObject(lines.slice(from, to + 1).join('\n'))) || {};
}

export function parseObject(text: string): LooseObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as LooseObject;
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): LooseObject {
  return typeof value === 'object' && value !== null ? (value as LooseObject) : {};
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function sumCounts(...values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (isCount(value) ? value : 0), 0);
}

export function usageFrom(promptTokens: number, generatedTokens: number, cost?: unknown): { usage?: AgentUsage } {
  if (promptTokens + generatedTokens === 0) return {};
  return { usage: { promptTokens, generatedTokens, ...(isCount(cost) && { cost }) } };
}

export function unreadableFailure(stdout: string): { readonly failed: string } {
  const excerpt = stdout.trim().slice(0, 200);
  return { failed: excerpt === '' ? 'It printed nothing.' : `Its answer could not be read: ${excerpt}` };
}

/** A larger number cannot be a real count: nobody uses that many tokens, or that much money, at a time (M13). */
const MAX_COUNT = 1e9;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_COUNT;
}
