/** What a text in the workspace is, for whoever looks for one. */
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

/** One text that an event brings. */
export interface SearchText {
  readonly kind: TextKind;
  readonly text: string;
  /** Whose it is, where that is not whom the event is from. */
  readonly from?: string;
  /** What in its thread it is (core/link.ts), where the event tells; otherwise the state does. */
  readonly at?: string;
}
