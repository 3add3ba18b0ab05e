import type { WireEvent } from '../client/index.ts';
import { attributeText } from '../core/text/sanitize.ts';

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
    .map(({ seq, from, content }) => `#${seq} ${attributeText(from, textOf(content))}`)
    .join('\n');
}

function textOf(content: WireEvent['content']): string {
  if (typeof content === 'string') return content;
  const { text, summary } = content as { text?: string; summary?: string };
  return text ?? summary ?? JSON.stringify(content);
}
