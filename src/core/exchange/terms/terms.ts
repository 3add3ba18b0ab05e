import { z } from 'zod';
import { type Refusal, refuse } from '../../refusal.ts';
import { budgetLimits } from '../../runs/schema.ts';
import { closestName } from '../../text/nearest.ts';
import { positive } from '../../util/schemas.ts';
import { DEFAULT_TERMS } from './defaults.ts';
import { AUDITOR, isObject } from './terms-text.ts';

/** The limits at which a run pauses (X12). */
export const budget = z.strictObject({ rounds: positive, ...budgetLimits }).partial();
export type ExchangeBudget = z.infer<typeof budget>;

export const MAX_TEXT = 32 * 1024;

const text = z
  .string()
  .max(MAX_TEXT)
  .refine((value) => value.trim() !== '', 'it is empty');
const countUpTo = (max: number) => z.number().int().min(1).max(max);
const share = z.number().min(0).max(1);
const model = z.string().min(1).max(128).nullable();
const participant = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a participant id is 1 to 64 of a-z, 0-9, ".", "_", "-"');
const minds = z
  .array(z.strictObject({ id: participant, model }))
  .min(1)
  .max(16)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'two minds have the same id')
  .refine((list) => list.every(({ id }) => id !== AUDITOR), `"${AUDITOR}" is the auditor's id`);

const shape = {
  /** The question of the exchange; first in every input (X15). */
  question: text,
  /** The minds of a round, in this order; without a model, the registry's default. */
  minds,
  /** Run all minds of a round at once, or one after the other. The log is the same either way. */
  parallel: z.boolean(),
  auditor_model: model,
  audit_every: countUpTo(10_000),
  /** How a restart request is handled (X8). */
  policy: z.enum(['alert', 'pause', 'branch']),
  /** After which audits the observer must answer before the rounds continue (X7). */
  ask_after_audit: z.enum(['structured', 'always', 'never']),
  /** Whether minds see the clusters, as the auditor always does (X10). */
  cluster_feed: z.boolean(),
  /** The thresholds at which a cluster requests a restart (X6). */
  restart: z
    .strictObject({ share, themed: share, iterations: countUpTo(1000), rearm: share })
    .refine(({ share: threshold, rearm }) => rearm <= threshold, '"rearm" must not be above "share"'),
  active_pool_size: countUpTo(10_000),
  thought_display_count: countUpTo(1000),
  thought_display_chars: countUpTo(100_000),
  temperature: z.number().min(0).max(2).nullable(),
  budget,
  auditor_spec: text,
  mind_prompt: text,
  observer_role: text,
} as const;

export const terms = z.strictObject(shape);
export type Terms = { readonly [Name in keyof typeof shape]: z.infer<(typeof shape)[Name]> };
/** A subset of the terms, as an event records a change. */
export const changes = terms.partial();
export type TermsChanges = z.infer<typeof changes>;

/** Checks every key. The refusal names the wrong key and the correct form. */
export function parseChanges(input: Readonly<Record<string, unknown>>, base: Terms): TermsChanges | Refusal {
  const termNames = Object.keys(shape);
  for (const [key, value] of Object.entries(input)) {
    if (!Object.hasOwn(shape, key)) {
      const suggestion = closestName(key, termNames);
      const hint = suggestion ? `Did you mean "${suggestion}"?` : `The terms are ${termNames.join(', ')}.`;
      return refuse('malformed', `"${key}" is not a term of an exchange. ${hint}`, { key });
    }
    if (typeof value === 'string' && value.length > MAX_TEXT) {
      const message = `"${key}" has ${value.length} characters; the limit is ${MAX_TEXT}, because the whole text is part of every input. Shorten it.`;
      return refuse('too_large', message, { key, limit: MAX_TEXT });
    }
  }
  const { restart } = input;
  const merged = isObject(restart) ? { ...input, restart: { ...base.restart, ...restart } } : input;
  const parsed = changes.safeParse(merged);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  return refuse('malformed', `"${path}" is not valid: ${issue?.message}.`, { key: path });
}

/** The options for creating an exchange: terms, and two shortcuts for the minds. */
export function parseSetup(input: Readonly<Record<string, unknown>>): TermsChanges | Refusal {
  const { minds: mindsInput, model: sharedModel, ...rest } = input;
  if (sharedModel !== undefined && sharedModel !== null && (typeof sharedModel !== 'string' || sharedModel === '')) {
    return refuse('malformed', '"model" must be the name of a model, or null.', { key: 'model' });
  }
  const explicitMinds = typeof mindsInput === 'number' ? numberedMinds(mindsInput, sharedModel ?? null) : mindsInput;
  const mindSetup =
    explicitMinds === undefined && sharedModel !== undefined ? numberedMinds(1, sharedModel) : explicitMinds;
  return parseChanges(
    {
      ...rest,
      ...(mindSetup !== undefined && { minds: mindSetup }),
      ...(sharedModel !== undefined && rest.auditor_model === undefined && { auditor_model: sharedModel }),
    },
    DEFAULT_TERMS,
  );
}

function numberedMinds(size: number, sharedModel: unknown): readonly unknown[] {
  const clamped = Number.isInteger(size) && size >= 0 ? Math.min(size, 17) : 0;
  return Array.from({ length: clamped }, (_, i) => ({ id: `mind_${i}`, model: sharedModel }));
}
