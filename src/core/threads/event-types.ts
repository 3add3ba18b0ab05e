const CONVERSATION_TYPES: ReadonlySet<string> = new Set([
  'thread.created',
  'thread.renamed',
  'thread.forked',
  'thread.opened',
  'message',
  'control',
  'task',
  'result',
  'presence',
  'side.opened',
  'side.closed',
  'side.returned',
  'notice.posted',
  'draft.proposed',
  'draft.settled',
  'wake.waiting',
  'wake.closed',
]);

/** Whether an event is of the conversation that every thread is, and not of what its kind adds. */
export function isConversationType(type: string): boolean {
  return CONVERSATION_TYPES.has(type);
}
