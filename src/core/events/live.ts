import type { CursorMoved, GenerationStreamed } from '../loom/events.ts';
import type { PeopleUpdated, PinsUpdated, PresenceUpdated, TextStreamed } from '../threads/events.ts';
import type { LiveItemOf } from './define.ts';

/** A transient fact that is never stored (L4): who is typing, text as it grows. Threads of every kind have these. */
export type LiveItem = { readonly thread: string } & LiveItemOf<
  | typeof PresenceUpdated
  | typeof PinsUpdated
  | typeof PeopleUpdated
  | typeof TextStreamed
  | typeof GenerationStreamed
  | typeof CursorMoved
>;
