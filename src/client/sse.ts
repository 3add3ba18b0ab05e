/** One frame of a server-sent event stream. */
export interface SseFrame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Splits a stream's text into frames, wherever the chunks were cut. */
export function createFrameParser(): (text: string) => SseFrame[] {
  let rest = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];

  function parseLine(line: string): SseFrame | undefined {
    if (line === '') {
      const hasContent = data.length > 0 || id !== undefined;
      const frame = hasContent ? { id, event: event || 'message', data: data.join('\n') } : undefined;
      id = undefined;
      event = '';
      data = [];
      return frame;
    }
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
    return undefined;
  }

  return (text) => {
    const frames: SseFrame[] = [];
    const buffer = rest + text;
    let from = 0;
    for (let end = buffer.indexOf('\n'); end !== -1; end = buffer.indexOf('\n', from)) {
      const frame = parseLine(buffer.slice(from, buffer[end - 1] === '\r' && end > from ? end - 1 : end));
      if (frame) frames.push(frame);
      from = end + 1;
    }
    rest = buffer.slice(from);
    return frames;
  };
}
