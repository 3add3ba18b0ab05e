import { TextDecoder } from 'node:util';
import { WireFault } from './wire-fault.ts';

export const KEPT_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 4 * KEPT_BYTES;
export const LONGEST_LINE = 4 * 1024 * 1024;
const EVENT_LINE = /^(data|event|id|retry)?(:|$)/;
const LONGEST_FIELD = 8;

/** What of a body passes by is kept, and checked before anybody parses it. */
export interface Tap {
  through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array>;
  body(): string;
  readonly cut: boolean;
}

export function createTap(onFirstByte: () => void): Tap {
  const kept: string[] = [];
  let bytes = 0;

  async function* through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const lines = kind === 'events' ? createLineCheck() : undefined;
    for await (const piece of body) {
      if (bytes === 0) onFirstByte();
      bytes += piece.length;
      const text = decode(decoder, piece);
      if (bytes <= KEPT_BYTES) kept.push(text);
      if (bytes > (lines ? MOST_BYTES : KEPT_BYTES)) throw new WireFault('body-too-long');
      lines?.(text);
      yield piece;
    }
    decode(decoder);
  }

  return {
    through,
    body: () => kept.join(''),
    get cut() {
      return bytes > KEPT_BYTES;
    },
  };
}

function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new WireFault('not-utf8');
  }
}

/** Lines of an event stream are fields or comments, and none is endless. */
function createLineCheck(): (text: string) => void {
  let begin = '';
  let length = 0;
  return (text) => {
    const parts = text.split('\n');
    parts.forEach((part, i) => {
      if (begin.length < LONGEST_FIELD) begin += part.slice(0, LONGEST_FIELD - begin.length);
      length += part.length;
      if (length > LONGEST_LINE) throw new WireFault('line-too-long');
      const whole = i < parts.length - 1;
      if (whole && !EVENT_LINE.test(begin.trimEnd())) throw new WireFault('not-events');
      if (whole) [begin, length] = ['', 0];
    });
  };
}
