import type { LiveItemOf } from '../../core/events/define.ts';
import type { StreamedText, TextStreamed } from '../../core/threads/events.ts';
import type { Chunk } from '../../models/model.ts';
import type { Secrets } from '../secrets.ts';
import { createTextBatcher } from './batcher.ts';

/**
 * The most text that fits into one PostgreSQL notification, whatever the characters: other servers receive it that way.
 */
const MAX_PART_CHARS = 1000;

export interface TextStream {
  readonly onChunk: (chunk: Chunk) => void;
  end(): void;
}

/** Streams a model's text live to everyone who is watching, a few times a second (M12). */
export function openTextStream(
  send: (item: LiveItemOf<typeof TextStreamed>) => void,
  { job, from, purpose }: Pick<StreamedText, 'job' | 'from' | 'purpose'>,
  secrets: Secrets,
): TextStream {
  const batcher = createTextBatcher(([delta]) => {
    if (!delta) return;
    const [, start, text] = delta;
    for (const part of splitText(text)) {
      send({ type: 'text.streamed', content: { job, from, purpose, at: start + part.at, text: part.text } });
    }
  }, secrets);
  return {
    onChunk: (chunk) => {
      if (chunk.type === 'text' && chunk.choice === 0) batcher.push(0, chunk.text);
    },
    end: batcher.end,
  };
}

function splitText(text: string): readonly { readonly at: number; readonly text: string }[] {
  const parts: { at: number; text: string }[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_PART_CHARS;
    // No part ends in the middle of a character.
    const size =
      /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length ? MAX_PART_CHARS - 1 : MAX_PART_CHARS;
    parts.push({ at, text: text.slice(at, at + size) });
    at += size;
  }
  return parts;
}
