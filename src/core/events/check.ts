import { z } from 'zod';
import { attachmentsSchema, blobHash } from '../attachments/schema.ts';
import { originSchema } from '../origin-schema.ts';
import type { EventDefinition } from './define.ts';
import type { Event, NewEvent } from './event.ts';
import { manifest } from './manifest.ts';
import { createQuickTest } from './quick-test.ts';

/** Ids name files and rows: no path, no white space. */
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"');
const count = z.number().int().positive();
const participant = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be 1 to 128 letters, digits, ".", "_" or "-"');

/** Fields that a newer version adds are kept unchanged (L3). */
const metaFields = z.looseObject({
  reply_to: z.string().optional(),
  tags: z.array(z.string()).optional(),
  by: z.enum(['human', 'agent', 'automation']).optional(),
  command: z.string().optional(),
  cause: z.looseObject({ root: z.string(), depth: z.number().int().nonnegative() }).optional(),
  blobs: z.array(blobHash).optional(),
  attachments: attachmentsSchema.optional(),
  accepted_by: z.string().optional(),
  draft: count.optional(),
  origin: originSchema.optional(),
  audit: z
    .looseObject({
      cites: z.array(z.looseObject({ seq: count, event: z.string() })),
      unknown: z.array(z.number()),
      shown: z.number(),
      spec: z.string(),
      seen: z.array(z.looseObject({ seq: count, event: z.string() })).optional(),
    })
    .optional(),
});
/** Whoever follows the blobs of an event must find its files too. */
const meta = metaFields.refine(
  ({ attachments = [], blobs = [] }) => attachments.every(({ blob }) => blobs.includes(blob)),
  { error: 'must name the blob of every attachment in "blobs" too', path: ['attachments'] },
);

const envelope = z.looseObject({
  id,
  ts: z.iso.datetime({ error: 'must be a time in UTC' }),
  thread: id,
  seq: count,
  type: z.string().regex(/^[a-z0-9_.]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, "_" and "."'),
  from: participant,
  to: z.union([participant, z.array(participant)]),
  meta,
  v: count,
});

/**
 * Describes in a sentence what is wrong with an event that another program wrote; undefined if nothing is. For a type
 * that this version does not know, only the fields common to all events are checked (L3).
 */
export function findEventProblem(event: Event): string | undefined {
  const parsed = envelope.safeParse(event);
  if (!parsed.success) return formatIssue(parsed.error);
  const definition = manifest.get(event.type);
  if (!definition) return undefined;
  if (!definition.durable) return `"${event.type}" is a live item, which a log never contains.`;
  if (event.v > definition.v) {
    return `"${event.type}" has version ${event.v}, and this Heddle reads up to ${definition.v}. Update Heddle and try again.`;
  }
  const schema = event.v === definition.v ? definition.schema : definition.older[event.v];
  if (!schema) return `"${event.type}" never had a version ${event.v}.`;
  const content = schema.safeParse(event.content);
  return content.success ? undefined : formatIssue(content.error, `the content of this "${event.type}"`);
}

/** The version that a new event is stored with. Throws if the event does not fit its own type, which is a bug. */
export function versionOf({ type, content }: NewEvent): number {
  const definition = manifest.get(type);
  if (!definition) return 1;
  if (quickTestOf(definition)(content)) return definition.v;
  const parsed = definition.schema.safeParse(content);
  if (!parsed.success) throw new Error(`Nothing was stored: ${formatIssue(parsed.error, `a new "${type}"`)}`);
  return definition.v;
}

const quickTests = new Map<EventDefinition, (content: unknown) => boolean>();

/** Built when first needed: most types never are. */
function quickTestOf(definition: EventDefinition): (content: unknown) => boolean {
  const known = quickTests.get(definition);
  if (known) return known;
  const test = createQuickTest(definition.schema);
  quickTests.set(definition, test);
  return test;
}

function formatIssue(error: z.ZodError, subject = 'the event'): string {
  const issue = deepestIssue(error.issues[0] as z.core.$ZodIssue);
  const path = issue.path.map(String).join('.').slice(0, 100);
  const prefix = path === '' ? subject : `${subject} has a "${path}" that`;
  return `${prefix} does not fit: ${issue.message.slice(0, 200)}.`.replace('..', '.');
}

/** In a union, picks the form that the author probably meant: the one whose first issue is deepest. */
function deepestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  let best: z.core.$ZodIssue = issue;
  for (const [first] of issue.errors) {
    if (!first) continue;
    const inner = deepestIssue(first);
    const path = [...issue.path, ...inner.path];
    if (path.length > best.path.length) best = { ...inner, path } as z.core.$ZodIssue;
  }
  return best;
}
