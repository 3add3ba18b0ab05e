/** Collects chunks of any size in one buffer: a million one-byte chunks take no more room than a megabyte. */
export interface ByteBuffer {
  push(chunk: Buffer): void;
  /** Returns the content as text and empties the buffer. */
  take(): string;
}

export function createByteBuffer(): ByteBuffer {
  let buffer = Buffer.alloc(1024);
  let length = 0;
  return {
    push(chunk) {
      if (length + chunk.length > buffer.length) {
        const larger = Buffer.alloc(2 * (length + chunk.length));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += chunk.copy(buffer, length);
    },
    take() {
      const text = buffer.toString('utf8', 0, length);
      length = 0;
      return text;
    },
  };
}

/** Emits whole lines as they arrive. Each byte is scanned once, however long a line is. */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  const pending = createByteBuffer();
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      onLine(pending.take());
    }
    pending.push(chunk.subarray(start));
  };
}
