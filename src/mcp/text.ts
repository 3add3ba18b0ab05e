import type { WireEvent } from '../client/index.ts';
import { readEvent } from '../core/events/read.ts';
import { attributeText } from '../core/text/sanitize.ts';
import type { ThreadEvent } from '../core/threads/events.ts';

/** An event reduced to the fields an agent needs. */
export function compactEvent({ id, seq, ts, type, from, to, content, meta }: WireEvent) {
  return {
    id,
    seq,
    ts,
    type,
    from,
    ...(to !== 'all' && { to }),
    content,
    ...(meta.reply_to !== undefined && { reply_to: meta.reply_to }),
  };
}

/** The messages as text without ids: a line starts with a number only when the speaker changes. */
export function timeline(events: readonly WireEvent[]): string {
  return events
    .filter(({ type }) => ['message', 'task', 'result', 'side.returned'].includes(type))
    .map((event) => `#${event.seq} ${attributeText(event.from, textOf(event))}`)
    .join('\n');
}

function textOf(stored: WireEvent): string {
  const event = readEvent<ThreadEvent>(stored);
  if (typeof event.content === 'string') return event.content;
  if (event.type === 'side.returned') return event.content.summary;
  const text = event.type === 'task' || event.type === 'result' ? event.content.text : undefined;
  return text ?? JSON.stringify(event.content);
}
