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
  const waiting = threadContent(event, 'wake.waiting');
  const answerer = threadContent(event, 'wake.closed')?.participant ?? (waiting?.partial && waiting.participant);
  const remaining = [...texts].filter(
    ([, { thread, from }]) =>
      thread !== event.thread || !(from === event.from || from === answerer || STOP_EVENTS.has(event.type)),
  );
  return remaining.length === texts.size ? texts : new Map(remaining);
}
