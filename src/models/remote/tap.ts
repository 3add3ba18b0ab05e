import { TextDecoder } from 'node:util';
import { WireFault } from './errors/wire-fault.ts';

const KEPT_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 4 * KEPT_BYTES;
export const LONGEST_EVENT = 4 * 1024 * 1024;
const EVENT_LINE = /^(data|event|id|retry)?(:|$)/;
const LONGEST_FIELD = 8;

/** What of a body passes by is kept, and checked before anybody parses it. */
export interface Tap {
  through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array>;
  body(): string;
  readonly cut: boolean;
  /** How many came. */
  readonly bytes: number;
}

export function createTap(onFirstByte: () => void): Tap {
  const kept: string[] = [];
  let bytes = 0;

  async function* through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const events = kind === 'events' ? createEvents() : undefined;
    for await (const piece of body) {
      if (bytes === 0) onFirstByte();
      bytes += piece.length;
      const text = decode(decoder, piece);
      if (bytes <= KEPT_BYTES) kept.push(text);
      if (bytes > (events ? MOST_BYTES : KEPT_BYTES)) throw new WireFault('body-too-long');
      const whole = events ? events.add(text) : text;
      if (whole !== '') yield Buffer.from(whole);
    }
    const rest = decode(decoder) + (events?.rest() ?? '');
    if (rest !== '') yield Buffer.from(rest);
  }

  return {
    through,
    body: () => kept.join(''),
    get cut() {
      return bytes > KEPT_BYTES;
    },
    get bytes() {
      return bytes;
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

/**
 * Hands on whole events only. The client libraries look through everything they hold at each piece that comes, which a
 * long event in many pieces turns into minutes.
 */
function createEvents() {
  let held: string[] = [];
  let length = 0;
  let begin = '';

  /** The end of the last event in this text; -1 when none ends here. */
  function lastEnd(text: string): number {
    let end = -1;
    for (let from = 0; from <= text.length; ) {
      const newline = text.indexOf('\n', from);
      const until = newline < 0 ? text.length : newline;
      if (begin.length < LONGEST_FIELD) begin += text.slice(from, Math.min(until, from + LONGEST_FIELD - begin.length));
      if (newline < 0) break;
      const field = begin.trimEnd();
      if (!EVENT_LINE.test(field)) throw new WireFault('not-events');
      if (field === '') end = newline + 1;
      begin = '';
      from = newline + 1;
    }
    return end;
  }

  return {
    add: (text: string): string => {
      const end = lastEnd(text);
      length = end < 0 ? length + text.length : text.length - end;
      if (length > LONGEST_EVENT) throw new WireFault('event-too-long');
      if (end < 0) {
        held.push(text);
        return '';
      }
      const whole = held.join('') + text.slice(0, end);
      held = [text.slice(end)];
      return whole;
    },
    rest: () => held.join(''),
  };
}
