/** The kinds of text that search can find. */
export const textKinds = [
  'title',
  'message',
  'draft',
  'thought',
  'node',
  'audit',
  'question',
  'summary',
  'task',
  'result',
  'observer',
  'terms',
  'note',
] as const;
export type TextKind = (typeof textKinds)[number];

/** One searchable text of an event. */
export interface SearchText {
  readonly kind: TextKind;
  readonly text: string;
  /** The author, if it is not the author of the event. */
  readonly from?: string;
  /** The text's place in its thread (core/link.ts), if the event determines it; otherwise the state does. */
  readonly at?: string;
}
