import type { Event } from '../../events/event.ts';
import { threadContent } from '../content.ts';
import type { StreamedText } from '../events.ts';

/** A text that a model is writing right now (M12). */
export interface LiveText extends Omit<StreamedText, 'at'> {
  readonly thread: string;
  /** Offset of the first character that is known; more than 0 if the beginning was missed. */
  readonly start: number;
}

/** By thread and writer: a participant writes one text at a time in a thread. The one that grew last comes last. */
export type LiveTexts = ReadonlyMap<string, LiveText>;

/** Events that stop all writers in a thread. */
const STOP_EVENTS: ReadonlySet<string> = new Set([
  'run.ended',
  'run.paused',
  'rounds.ended',
  'rounds.paused',
  'control',
]);

/** Adds a piece. A new try begins again at 0; after a gap only what follows it is known. */
export function addLivePiece(texts: LiveTexts, thread: string, { at, text, ...piece }: StreamedText): LiveTexts {
  const key = `${thread} ${piece.from}`;
  const previous = texts.get(key);
  const continues = previous !== undefined && at > 0 && previous.start + previous.text.length === at;
  const next = new Map(texts);
  next.delete(key);
  return next.set(key, {
    ...piece,
    thread,
    start: continues ? previous.start : at,
    text: continues ? previous.text + text : text,
  });
}

/** Removes texts that are now recorded or were stopped. Clustering concerns earlier thoughts and ends nothing. */
export function removeRecordedTexts(texts: LiveTexts, event: Event): LiveTexts {
  if (texts.size === 0 || event.type === 'thought.clustered') return texts;
  const writer = endedWriter(event);
  const remaining = [...texts].filter(
    ([, { thread, from }]) =>
      thread !== event.thread || !(from === event.from || from === writer || STOP_EVENTS.has(event.type)),
  );
  return remaining.length === texts.size ? texts : new Map(remaining);
}

/** Whose call has ended, of an event that another reports. What had arrived of it is with the event, or was lost. */
function endedWriter(event: Event): string | undefined {
  const wake = threadContent(event, 'wake.closed') ?? threadContent(event, 'wake.waiting');
  if (wake) return wake.participant;
  if (event.type !== 'rounds.waiting') return undefined;
  const { audit, mind } = event.content as { readonly audit?: number; readonly mind?: string };
  return audit === undefined ? mind : 'auditor';
}
