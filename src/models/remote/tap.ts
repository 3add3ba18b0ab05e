import { TextDecoder } from 'node:util';
import { WireFault } from './errors/wire-fault.ts';

const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const MAX_BODY_BYTES = 4 * MAX_KEPT_BYTES;
export const MAX_EVENT_LENGTH = 4 * 1024 * 1024;
const EVENT_LINE = /^(data|event|id|retry)?(:|$)/;
const MAX_FIELD_LENGTH = 8;

/** Keeps a copy of a body as it passes, and checks it before it is parsed. */
export interface Tap {
  through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array>;
  body(): string;
  readonly cut: boolean;
  /** The number of bytes received. */
  readonly bytes: number;
}

export function createTap(onFirstByte: () => void): Tap {
  const keptText: string[] = [];
  let bytes = 0;

  async function* through(body: AsyncIterable<Uint8Array>, kind: 'events' | 'json'): AsyncGenerator<Uint8Array> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const splitter = kind === 'events' ? createEventSplitter() : undefined;
    for await (const chunk of body) {
      if (bytes === 0) onFirstByte();
      bytes += chunk.length;
      const text = decode(decoder, chunk);
      if (bytes <= MAX_KEPT_BYTES) keptText.push(text);
      if (bytes > (splitter ? MAX_BODY_BYTES : MAX_KEPT_BYTES)) throw new WireFault('body-too-long');
      const output = splitter ? splitter.add(text) : text;
      if (output !== '') yield Buffer.from(output);
    }
    const rest = decode(decoder) + (splitter?.rest() ?? '');
    if (rest !== '') yield Buffer.from(rest);
  }

  return {
    through,
    body: () => keptText.join(''),
    get cut() {
      return bytes > MAX_KEPT_BYTES;
    },
    get bytes() {
      return bytes;
    },
  };
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new WireFault('not-utf8');
  }
}

/**
 * Passes on whole events only. The client libraries rescan their whole buffer for each piece, which would take
 * minutes for a long event in many pieces.
 */
function createEventSplitter() {
  let pending: string[] = [];
  let length = 0;
  let lineStart = '';

  /** The end of the last event in this text; -1 if none ends here. */
  function findLastEventEnd(text: string): number {
    let end = -1;
    for (let offset = 0; offset <= text.length; ) {
      const newline = text.indexOf('\n', offset);
      const lineEnd = newline < 0 ? text.length : newline;
      if (lineStart.length < MAX_FIELD_LENGTH)
        lineStart += text.slice(offset, Math.min(lineEnd, offset + MAX_FIELD_LENGTH - lineStart.length));
      if (newline < 0) break;
      const field = lineStart.trimEnd();
      if (!EVENT_LINE.test(field)) throw new WireFault('not-events');
      if (field === '') end = newline + 1;
      lineStart = '';
      offset = newline + 1;
    }
    return end;
  }

  return {
    add: (text: string): string => {
      const end = findLastEventEnd(text);
      length = end < 0 ? length + text.length : text.length - end;
      if (length > MAX_EVENT_LENGTH) throw new WireFault('event-too-long');
      if (end < 0) {
        pending.push(text);
        return '';
      }
      const output = pending.join('') + text.slice(0, end);
      pending = [text.slice(end)];
      return output;
    },
    rest: () => pending.join(''),
  };
}
