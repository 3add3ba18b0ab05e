import { type Refusal, refuse } from '../../core/refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the server knows of an event before it is posted. */
interface Truth {
  readonly thread: string | undefined;
  readonly from: string | undefined;
}

/**
 * An event as clients of other programs write it, in the words of ours (T29): `null` means absent, `thread` and `from` may
 * be repeated if they are true, and a result may name its task as `task_id` (T26). What is wrong stays as it is, for the
 * schema to refuse.
 */
export function plainEvent(sent: unknown, truth: Truth): unknown {
  if (!isFields(sent)) return sent;
  const { thread, from, ...rest } = withoutNulls(sent);
  const event: Fields = {
    ...rest,
    ...(isFields(rest.meta) && { meta: withoutNulls(rest.meta) }),
    ...(isFields(rest.content) && { content: withoutNulls(rest.content) }),
    ...(thread !== undefined && thread !== truth.thread && { thread }),
    ...(from !== undefined && from !== truth.from && { from }),
  };
  return event.type === 'result' && isFields(event.content) ? withTask(event, event.content) : event;
}

function withTask(event: Fields, { task_id, ...content }: Fields): Fields | Refusal {
  if (typeof task_id !== 'string') return event;
  const meta = isFields(event.meta) ? event.meta : {};
  if (meta.reply_to !== undefined && meta.reply_to !== task_id)
    return refuse('malformed', '"content.task_id" and "meta.reply_to" name different tasks. Send one of them.');
  return { ...event, content, meta: { ...meta, reply_to: task_id } };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
