import { DEFAULT_TERMS } from './defaults.ts';
import type { Terms } from './terms.ts';

/** The participant id that audits are written under. */
export const AUDITOR = 'auditor';

export const TEXT_TERMS = ['auditor_spec', 'mind_prompt', 'observer_role'] as const;
export type TextTermName = (typeof TEXT_TERMS)[number];

/** All terms except the question and the long texts, as minds and auditors read them. */
export function termsText(terms: Terms): string {
  const longTerms: readonly string[] = ['question', ...TEXT_TERMS];
  const names = (Object.keys(DEFAULT_TERMS) as (keyof Terms)[]).filter((name) => !longTerms.includes(name));
  return names.map((name) => `${name}: ${formatValue(terms[name])}`).join('\n');
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (!isObject(value)) return value === null ? 'as usual' : String(value);
  // Keys come back from the log in another order, and the hash must not change.
  const parts = Object.keys(value)
    .sort()
    .map((name) => `${name} ${formatValue(value[name])}`);
  return parts.length === 0 ? 'none' : `(${parts.join(', ')})`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
