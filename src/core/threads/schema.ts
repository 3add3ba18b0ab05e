import { z } from 'zod';
import type { Json } from '../events/event.ts';
import { RESERVED_IDS, THREAD_KIND } from './fixed-names.ts';
import { MAX_TAG_CHARS, MAX_TAGS, normalizeTag } from './tags.ts';

export const participantId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a participant id is 1 to 64 of A-Z, a-z, 0-9, ".", "_", "-", starting with a letter or digit',
  )
  .refine((id) => !RESERVED_IDS.includes(id.toLowerCase()), '"all" and "system" are reserved');

/** Any word: a log may come from a version that has kinds of thread of its own (L3). */
export const threadKind = z.string().regex(THREAD_KIND);

/** How a participant presents itself (T1). Every field may be left out: a re-invite merges field by field (T2). */
export const profile = z
  .strictObject({
    client: z.string().max(128),
    model: z.string().max(128),
    nickname: z.string().max(64),
    roles: z.array(z.string().min(1).max(64)).max(16),
    kind: z.enum(['human', 'agent', 'automation']),
    posting: z.enum(['direct', 'draft']),
    /**
     * A specification that everyone can read; and the number of messages after which the participant is woken (T21).
     */
    spec: z.string().max(16_000),
    every: z.number().int().min(1).max(1000),
    /** The beginning of the participant's prompt; others see only its first line (T25). */
    instructions: z.string().max(16_000),
  })
  .partial();
export type Profile = z.infer<typeof profile>;

export const recipients = z.union([z.literal('all'), participantId, z.array(participantId).min(1).max(64)]);

export const title = z.string().trim().min(1).max(200);
/** As a client may write it; it is stored in its normal form (T33). */
export const tag = z
  .string()
  .max(8 * MAX_TAG_CHARS)
  .transform((text, issue) => {
    const normalized = normalizeTag(text);
    if (normalized !== undefined) return normalized;
    issue.addIssue(`a tag is 1 to ${MAX_TAG_CHARS} letters, digits and emoji, with spaces or ._/+- between them`);
    return z.NEVER;
  });
export const storedTags = z
  .array(z.string().refine((text) => normalizeTag(text) === text, 'a tag is stored in its normal form'))
  .max(MAX_TAGS)
  .refine((tags) => new Set(tags).size === tags.length, 'every tag may appear only once');

const onOff = z.strictObject({ on: z.boolean() });
const targets = z.array(participantId).min(1).max(64);

export const budget = z
  .strictObject({
    tokens: z.number().int().positive(),
    money: z.number().positive(),
    seconds: z.number().int().positive(),
    messages: z.number().int().positive(),
  })
  .partial();
export type ThreadBudget = z.infer<typeof budget>;
/** A budget change in a control: 0 removes a limit. */
const budgetChange = z
  .strictObject({
    tokens: z.number().int().min(0),
    money: z.number().min(0),
    seconds: z.number().int().min(0),
    messages: z.number().int().min(0),
  })
  .partial();

/** The shapes a control may have; its content has exactly one of these keys (T5). */
export const controlShapes = {
  mute: z.strictObject({ targets, mode: z.enum(['hard', 'soft']).default('hard') }),
  unmute: z.strictObject({ targets }),
  pause: onOff,
  prod: targets,
  done: z.literal(true),
  ttl_seconds: z.number().int().min(0).max(31_536_000),
  discussion: z.strictObject({ on: z.boolean(), allow_agent_mentions: z.boolean().optional() }),
  invited_auto: onOff,
  invite: z.strictObject({ participant_id: participantId, profile: profile.default({}) }),
  uninvite: z.strictObject({ participant_id: participantId }),
  profile,
  policy: z.strictObject({
    mode: z.enum(['small', 'large', 'auto']),
    hops: z.number().int().min(0).max(64).optional(),
    wakes: z.number().int().min(0).max(1024).optional(),
  }),
  continue: z.literal(true),
  resume: z.literal(true),
  presence_log: onOff,
  budget: budgetChange,
  rename: z.strictObject({ title }),
} as const;
export type ControlName = keyof typeof controlShapes;
export type Control = {
  [Name in ControlName]: { readonly [Key in Name]: z.infer<(typeof controlShapes)[Name]> };
}[ControlName];

export const control = z.union(
  Object.entries(controlShapes).map(([name, shape]) => z.strictObject({ [name]: shape })) as never,
) as z.ZodType<Control>;

export const message = z.string().min(1);
export const task = z.union([
  z.string().min(1),
  z.strictObject({ text: z.string().min(1), role: z.string().min(1).max(64).optional() }),
]);
const resultStatus = z.enum(['claimed', 'done', 'failed', 'cancelled']);
export const result = z.union([
  z.string().min(1),
  z
    .strictObject({
      status: resultStatus,
      text: z.string(),
      data: z.custom<Json>((value) => value !== undefined),
    })
    .partial()
    .refine((content) => Object.keys(content).length > 0, 'a result has a status, a text or data'),
]);
export type ResultContent = z.infer<typeof result>;
export const presenceLog = z.strictObject({ transition: z.enum(['thinking.start', 'thinking.end']) });

export const presenceState = z.enum(['listening', 'thinking', 'typing', 'idle', 'offline']);
export type PresenceState = z.infer<typeof presenceState>;
