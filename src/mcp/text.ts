import type { WireEvent } from '../client/index.ts';
import { attachmentsOf, describeAttachment } from '../core/attachments/attachment.ts';
import { readEvent } from '../core/events/read.ts';
import { attributeText } from '../core/text/sanitize.ts';
import type { ThreadEvent } from '../core/threads/events.ts';

/** An event reduced to the fields an agent needs. */
export function compactEvent({ id, seq, ts, type, from, to, content, meta, edited }: WireEvent) {
  return {
    id,
    seq,
    ts,
    type,
    from,
    ...(to !== 'all' && { to }),
    content: edited?.text ?? content,
    ...(edited && { edited: edited.ts }),
    ...(meta.reply_to !== undefined && { reply_to: meta.reply_to }),
    ...(meta.attachments && { files: meta.attachments }),
  };
}

/** The messages as text without ids: a line starts with a number only when the speaker changes. */
export function timeline(events: readonly WireEvent[]): string {
  return events
    .filter(({ type }) => ['message', 'task', 'result', 'side.returned'].includes(type))
    .map((event) => {
      const name = event.edited ? `${event.from} (edited)` : event.from;
      return `#${event.seq} ${attributeText(name, textWithFiles(event))}`;
    })
    .join('\n');
}

function textWithFiles(event: WireEvent): string {
  const names = attachmentsOf(event.meta).map((attachment) => `[attached: ${describeAttachment(attachment)}]`);
  return [event.edited?.text ?? textOf(event), ...names].join('\n');
}

function textOf(stored: WireEvent): string {
  const event = readEvent<ThreadEvent>(stored);
  if (typeof event.content === 'string') return event.content;
  if (event.type === 'side.returned') return event.content.summary;
  const text = event.type === 'task' || event.type === 'result' ? event.content.text : undefined;
  return text ?? JSON.stringify(event.content);
}
