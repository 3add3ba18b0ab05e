import { z } from 'zod';
import { origin } from '../origin.ts';
import type { Event } from './event.ts';
import { manifest } from './manifest.ts';

/** Ids name files and rows: no path, no white space. */
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"');
const count = z.number().int().positive();
const participant = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be 1 to 128 letters, digits, ".", "_" or "-"');

/** What a newer version adds beside these is kept as it is (L3). */
const meta = z.looseObject({
  reply_to: z.string().optional(),
  tags: z.array(z.string()).optional(),
  by: z.enum(['human', 'agent', 'automation']).optional(),
  command: z.string().optional(),
  cause: z.looseObject({ root: z.string(), depth: z.number().int().nonnegative() }).optional(),
  blobs: z.array(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')).optional(),
  accepted_by: z.string().optional(),
  draft: count.optional(),
  origin: origin.optional(),
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
 * What is wrong with an event that another program wrote, as a sentence; undefined where nothing is. A type that this
 * version does not know is only checked for what every event has (L3).
 */
export function problemWithEvent(event: Event): string | undefined {
  const whole = envelope.safeParse(event);
  if (!whole.success) return sentence(whole.error);
  const known = manifest.get(event.type);
  if (!known) return undefined;
  if (!known.durable) return `"${event.type}" is live news, which no log holds.`;
  if (event.v > known.v) {
    return `"${event.type}" is of version ${event.v}, and this Heddle reads up to ${known.v}. Update Heddle and try again.`;
  }
  const content = known.schema.safeParse(event.content);
  return content.success ? undefined : sentence(content.error, `the content of this "${event.type}"`);
}

function sentence(error: z.ZodError, whole = 'the event'): string {
  const issue = deepest(error.issues[0] as z.core.$ZodIssue);
  const path = issue.path.map(String).join('.').slice(0, 100);
  const what = path === '' ? whole : `${whole} has a "${path}" that`;
  return `${what} does not fit: ${issue.message.slice(0, 200)}.`.replace('..', '.');
}

/** Of several forms, the one that was meant: whose first trouble lies deepest. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  let found: z.core.$ZodIssue = issue;
  for (const [first] of issue.errors) {
    if (!first) continue;
    const inner = deepest(first);
    const path = [...issue.path, ...inner.path];
    if (path.length > found.path.length) found = { ...inner, path } as z.core.$ZodIssue;
  }
  return found;
}
