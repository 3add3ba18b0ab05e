import type { CursorMoved, GenerationStreamed } from '../loom/events.ts';
import type { PresenceUpdated, TextStreamed } from '../threads/events.ts';
import type { LiveItemOf } from './define.ts';

/** Something that is true now and never stored (L4): who is typing, text as it grows, in threads of any kind. */
export type LiveItem = { readonly thread: string } & LiveItemOf<
  typeof PresenceUpdated | typeof TextStreamed | typeof GenerationStreamed | typeof CursorMoved
>;
