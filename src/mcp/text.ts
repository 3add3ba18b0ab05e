import type { WireEvent } from '../client/index.ts';
import { readEvent } from '../core/events/read.ts';
import { attributeText } from '../core/text/sanitize.ts';
import type { ThreadEvent } from '../core/threads/events.ts';

/** An event without what an agent has no use for. */
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

/** What was said, for a reader that needs no ids: only a new speaker begins a line with a number. */
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
