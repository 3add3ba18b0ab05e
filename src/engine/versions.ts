import { type Event, SYSTEM } from '../core/events/event.ts';
import { MessageVersioned } from '../core/threads/events.ts';
import type { ThreadState } from '../core/threads/state.ts';
import { getOwn } from '../core/util/get-own.ts';
import { type EventLog, eventOf } from '../log/event-log.ts';

/** The newest text of a message that its author has edited (T35). */
export interface NewestVersion {
  readonly event: string;
  readonly seq: number;
  readonly ts: string;
  readonly text: string;
  /** How many versions there are after the first. */
  readonly count: number;
}

type Reader = Pick<EventLog, 'readThread'>;

/**
 * The newest versions of those messages that have any, by id. A version counts only if it is by the author of the
 * message and came in the same way: a log of others may hold any (T22, L25).
 */
export async function newestVersionsOf(
  log: Reader,
  { id: thread, edits = {} }: Pick<ThreadState, 'id' | 'edits'>,
  events: Iterable<Event>,
): Promise<ReadonlyMap<string, NewestVersion>> {
  const versions = new Map<string, NewestVersion>();
  for (const message of events) {
    const edit = message.type === 'message' && message.from !== SYSTEM.id ? getOwn(edits, message.id) : undefined;
    if (!edit) continue;
    const [row] = await log.readThread(thread, edit.seq - 1, 1);
    const event = row && eventOf(row);
    const content = event && MessageVersioned.read(event)?.content;
    if (!content || content.of !== message.id || typeof content.text !== 'string') continue;
    if (event.from !== message.from || event.imported !== message.imported) continue;
    versions.set(message.id, {
      event: event.id,
      seq: event.seq,
      ts: event.ts,
      text: content.text,
      count: edit.count,
    });
  }
  return versions;
}

/** An event as it reads now, for those who are shown what was said. */
export interface CurrentEvent extends Event {
  readonly edited?: NewestVersion;
}

/** The same events, with the newest texts of messages. */
export async function withNewestTexts(
  log: Reader,
  thread: Pick<ThreadState, 'id' | 'edits'>,
  events: readonly Event[],
): Promise<readonly CurrentEvent[]> {
  if (!thread.edits) return events;
  const versions = await newestVersionsOf(log, thread, events);
  return events.map((event) => {
    const edited = versions.get(event.id);
    return edited ? { ...event, content: edited.text, edited } : event;
  });
}
