import { type Refusal, refuse } from '../../core/refusal.ts';

type EnvelopeFields = Readonly<Record<string, unknown>>;

/** The fields of an event that the server sets. */
interface ServerFields {
  readonly thread: string | undefined;
  readonly from: string | undefined;
}

/**
 * Converts an event as other programs write it to our form (T29): `null` means absent, `thread` and `from` may be
 * repeated if they are true, and a result may name its task as `task_id` (T26). Invalid values are left alone for the
 * schema to refuse.
 */
export function normalizeEvent(input: unknown, serverFields: ServerFields): unknown {
  if (!isRecord(input)) return input;
  const { thread, from, ...rest } = withoutNulls(input);
  const event: EnvelopeFields = {
    ...rest,
    ...(isRecord(rest.meta) && { meta: withoutNulls(rest.meta) }),
    ...(isRecord(rest.content) && { content: withoutNulls(rest.content) }),
    ...(thread !== undefined && thread !== serverFields.thread && { thread }),
    ...(from !== undefined && from !== serverFields.from && { from }),
  };
  return event.type === 'result' && isRecord(event.content) ? withTaskReply(event, event.content) : event;
}

function withTaskReply(event: EnvelopeFields, { task_id, ...content }: EnvelopeFields): EnvelopeFields | Refusal {
  if (typeof task_id !== 'string') return event;
  const meta = isRecord(event.meta) ? event.meta : {};
  if (meta.reply_to !== undefined && meta.reply_to !== task_id)
    return refuse('malformed', '"content.task_id" and "meta.reply_to" name different tasks. Send one of them.');
  return { ...event, content, meta: { ...meta, reply_to: task_id } };
}

function withoutNulls(fields: EnvelopeFields): EnvelopeFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isRecord(value: unknown): value is EnvelopeFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
