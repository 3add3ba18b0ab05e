import { z } from 'zod';
import { type Refusal, refuse } from '../refusal.ts';
import { budgetLimits } from '../runs/schema.ts';
import { closestName } from '../text/nearest.ts';
import { positive } from '../util/schemas.ts';

/** The limits at which a run pauses (D17). */
export const budget = z.strictObject({ iterations: positive, ...budgetLimits }).partial();
export type DialogueBudget = z.infer<typeof budget>;

const countUpTo = (max: number) => z.number().int().min(1).max(max);

const shape = {
  /** A key of the registry's models; null means the registry's default for minds. */
  model: z.string().min(1).max(128).nullable(),
  /** The participant id that iterations are written under. */
  self: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a participant id is 1 to 64 of a-z, 0-9, ".", "_", "-"'),
  active_pool_size: countUpTo(100_000),
  thought_display_chars: countUpTo(100_000),
  thought_display_count: countUpTo(1000),
  /** How many of the newest thoughts to show in order, in addition to the sampled ones (D23). */
  thought_recent_count: z.number().int().min(0).max(1000),
  /** How many older thoughts to show from sampled clusters that have become rare (D23). */
  thought_recall_count: z.number().int().min(0).max(1000),
  draft_display_chars: z.number().int().min(100).max(100_000),
  draft_display_count: countUpTo(1000),
  history_pairs: z.number().int().min(0).max(1000),
  /** Auto-accept the latest reply after this many iterations of silence or `+1` (D17). */
  auto_accept: z.number().int().min(1).nullable(),
  budget,
  /** Replaces the prompt that comes with Heddle (D22). */
  prompt: z.string().min(1).max(100_000).nullable(),
  temperature: z.number().min(0).max(2).nullable(),
} as const;

export const settings = z.strictObject(shape).partial();
export type DialogueSettings = z.infer<typeof settings>;
export type DialogueConfig = { readonly [Name in keyof typeof shape]: z.infer<(typeof shape)[Name]> };

/** Removed keys and their replacements. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  draft_buffer_size:
    '"draft_display_count" and "draft_display_chars": every draft is kept now, and only the window shown to the mind is limited',
};

/** Checks every key. The refusal names the wrong key and the correct form. */
export function parseSettings(input: Readonly<Record<string, unknown>>): DialogueSettings | Refusal {
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(shape, key)) continue;
    const replacement = Object.hasOwn(REPLACEMENTS, key) ? REPLACEMENTS[key] : undefined;
    if (replacement)
      return refuse('malformed', `"${key}" is no longer a setting. It was replaced by ${replacement}.`, { key });
    const suggestion = closestName(key, Object.keys(shape));
    const hint = suggestion ? `Did you mean "${suggestion}"?` : `The settings are ${Object.keys(shape).join(', ')}.`;
    return refuse('malformed', `"${key}" is not a setting of a dialogue. ${hint}`, { key });
  }
  const parsed = settings.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  return refuse('malformed', `"${path}" is not valid: ${issue?.message}.`, { key: path });
}
