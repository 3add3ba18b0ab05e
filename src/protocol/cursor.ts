import { type Refusal, refuse } from '../core/refusal.ts';

/**
 * A position in a thread (by seq) or in the workspace (by position). Cursors are opaque to clients, which never compute
 * with them (L10).
 */
export type CursorKind = 'thread' | 'workspace';

const PREFIX = { thread: 't1.', workspace: 'w1.' } as const;

export function cursorOf(kind: CursorKind, at: number): string {
  return PREFIX[kind] + at.toString(36);
}

/** The position of a cursor; without one, the beginning. */
export function parseCursor(kind: CursorKind, cursor: string | undefined): number | Refusal {
  if (cursor === undefined || cursor === '') return 0;
  const digits = cursor.startsWith(PREFIX[kind]) ? cursor.slice(PREFIX[kind].length) : '';
  const place = /^[0-9a-z]{1,10}$/.test(digits) ? Number.parseInt(digits, 36) : Number.NaN;
  if (Number.isSafeInteger(place)) return place;
  const other = kind === 'thread' ? 'workspace' : 'thread';
  const problem = cursor.startsWith(PREFIX[other]) ? `a ${other} cursor` : 'not a cursor of this workspace';
  return refuse(
    'wrong_cursor',
    `"${cursor.slice(0, 40)}" is ${problem}; a ${kind} cursor is needed here. Read without "after" to start over.`,
  );
}
