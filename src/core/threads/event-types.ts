import type { ThreadEvent } from './events.ts';

const CONVERSATION_TYPES: Readonly<Record<ThreadEvent['type'], true>> = {
  'thread.created': true,
  'thread.renamed': true,
  'thread.archived': true,
  'thread.tagged': true,
  'thread.forked': true,
  'thread.opened': true,
  message: true,
  'message.versioned': true,
  control: true,
  task: true,
  result: true,
  presence: true,
  'side.opened': true,
  'side.closed': true,
  'side.returned': true,
  'notice.posted': true,
  'draft.proposed': true,
  'draft.settled': true,
  'wake.waiting': true,
  'wake.closed': true,
};

const types: ReadonlySet<string> = new Set(Object.keys(CONVERSATION_TYPES));

/** Whether an event type belongs to the conversation that every thread has, and not to its mode. */
export function isConversationType(type: string): boolean {
  return types.has(type);
}
