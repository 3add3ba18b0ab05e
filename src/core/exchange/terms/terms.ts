import { z } from 'zod';
import { type Refusal, refuse } from '../../refusal.ts';
import { nearest } from '../../text/nearest.ts';
import { DEFAULTS } from './defaults.ts';

/** What a run may use before it pauses and asks (X12). */
export const budget = z
  .strictObject({
    rounds: z.number().int().positive(),
    tokens: z.number().int().positive(),
    money: z.number().positive(),
    seconds: z.number().positive(),
  })
  .partial();
export type Budget = z.infer<typeof budget>;

/** Whom audits are written by. */
export const AUDITOR = 'auditor';

export const MAX_TEXT = 32 * 1024;
export const TEXTS = ['auditor_spec', 'mind_prompt', 'observer_role'] as const;
export type TextName = (typeof TEXTS)[number];

const text = z
  .string()
  .max(MAX_TEXT)
  .refine((given) => given.trim() !== '', 'it is empty');
const count = (most: number) => z.number().int().min(1).max(most);
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
  /** What it is about: first in every input (X15). */
  question: text,
  /** Who thinks in a round, in this order; without a model, the registry's own choice. */
  minds,
  /** All minds of a round at once, or one after the other: what is recorded is the same. */
  parallel: z.boolean(),
  auditor_model: model,
  audit_every: count(10_000),
  /** What a restart request leads to (X8). */
  policy: z.enum(['alert', 'pause', 'branch']),
  /** After which audits the observer must answer before it goes on (X7). */
  ask_after_audit: z.enum(['structured', 'always', 'never']),
  /** Whether minds are told of clusters, as the auditor always is (X10). */
  cluster_feed: z.boolean(),
  /** When a theme is a request for a restart (X6). */
  restart: z
    .strictObject({ share, themed: share, iterations: count(1000), rearm: share })
    .refine(({ share: fires, rearm }) => rearm <= fires, '"rearm" must not be above "share"'),
  active_pool_size: count(10_000),
  thought_display_count: count(1000),
  thought_display_chars: count(100_000),
  temperature: z.number().min(0).max(2).nullable(),
  budget,
  auditor_spec: text,
  mind_prompt: text,
  observer_role: text,
} as const;

export const terms = z.strictObject(shape);
export type Terms = { readonly [Name in keyof typeof shape]: z.infer<(typeof shape)[Name]> };
/** Some of them, as an event tells a change. */
export const changes = terms.partial();
export type Changes = z.infer<typeof changes>;

/** Every key checked, with a sentence that says which one is wrong and what is right. */
export function parseChanges(given: Readonly<Record<string, unknown>>, now: Terms): Changes | Refusal {
  const known = Object.keys(shape);
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(shape, key)) {
      const meant = nearest(key, known);
      const hint = meant ? `Did you mean "${meant}"?` : `There are: ${known.join(', ')}.`;
      return refuse('malformed', `"${key}" is not a term of an exchange. ${hint}`, { key });
    }
    if (typeof value === 'string' && value.length > MAX_TEXT) {
      const message = `"${key}" has ${value.length} characters; at most ${MAX_TEXT} are taken, because all of it stands in every input. Shorten it.`;
      return refuse('too_large', message, { key, limit: MAX_TEXT });
    }
  }
  const { restart } = given;
  const whole = isObject(restart) ? { ...given, restart: { ...now.restart, ...restart } } : given;
  const parsed = changes.safeParse(whole);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  return refuse('malformed', `"${path}" is not acceptable: ${issue?.message}.`, { key: path });
}

/** What creating an exchange may say: terms, and two short ways to say who thinks. */
export function parseSetup(given: Readonly<Record<string, unknown>>): Changes | Refusal {
  const { minds: asked, model: all, ...rest } = given;
  if (all !== undefined && all !== null && (typeof all !== 'string' || all === '')) {
    return refuse('malformed', '"model" must be the name of a model, or null.', { key: 'model' });
  }
  const named = typeof asked === 'number' ? numbered(asked, all ?? null) : asked;
  const one = named === undefined && all !== undefined ? numbered(1, all) : named;
  return parseChanges(
    {
      ...rest,
      ...(one !== undefined && { minds: one }),
      ...(all !== undefined && rest.auditor_model === undefined && { auditor_model: all }),
    },
    DEFAULTS,
  );
}

function numbered(many: number, all: unknown): readonly unknown[] {
  const whole = Number.isInteger(many) && many >= 0 ? Math.min(many, 17) : 0;
  return Array.from({ length: whole }, (_, i) => ({ id: `mind_${i}`, model: all }));
}

/** All but the question and the long texts, as minds and auditors read it. */
export function termsText(terms: Terms): string {
  const apart: readonly string[] = ['question', ...TEXTS];
  const names = (Object.keys(shape) as (keyof Terms)[]).filter((name) => !apart.includes(name));
  return names.map((name) => `${name}: ${written(terms[name])}`).join('\n');
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(', ');
  if (!isObject(value)) return value === null ? 'as usual' : String(value);
  // What comes back from the log has its keys in another order, and must have the same hash.
  const parts = Object.keys(value)
    .sort()
    .map((name) => `${name} ${written(value[name])}`);
  return parts.length === 0 ? 'none' : `(${parts.join(', ')})`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
