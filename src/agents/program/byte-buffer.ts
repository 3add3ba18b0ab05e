/** Bytes that come in pieces of any size, kept as one: a million pieces of one byte take no more room than a megabyte. */
export interface ByteBuffer {
  push(chunk: Buffer): void;
  /** All of it, as text, after which it is empty. */
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

/** Hands over whole lines as they come; each byte is looked at once, however long a line is. */
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
