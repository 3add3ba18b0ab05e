import type { WireEvent } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';

/** Messages with their newest version, so that one that did not change is the same object and is not drawn again. */
const patched = new WeakMap<WireEvent, WireEvent>();

/** Applies the versions among these events to their messages; those read earlier carry theirs already (T35). */
export function withVersions(events: readonly WireEvent[]): readonly WireEvent[] {
  const versions = new Map<string, { readonly event: WireEvent; readonly text: string; readonly count: number }>();
  for (const event of events) {
    const content = threadContent(event, 'message.versioned');
    if (typeof content?.text !== 'string') continue;
    const key = `${content.of} ${authorLabelOf(event)}`;
    versions.set(key, { event, text: content.text, count: (versions.get(key)?.count ?? 0) + 1 });
  }
  if (versions.size === 0) return events;
  return events.map((message) => {
    const version = message.type === 'message' ? versions.get(`${message.id} ${authorLabelOf(message)}`) : undefined;
    if (!version || (message.edited?.seq ?? 0) >= version.event.seq) return message;
    const known = patched.get(message);
    if (known?.edited?.event === version.event.id) return known;
    const { id, seq, ts } = version.event;
    const next = { ...message, edited: { event: id, seq, ts, text: version.text, count: version.count } };
    patched.set(message, next);
    return next;
  });
}
