/** Bytes that come in pieces of any size, kept as one: a million pieces of one byte take no more room than a megabyte. */
export interface Bytes {
  push(chunk: Buffer): void;
  /** All of it, as text, after which it is empty. */
  take(): string;
}

export function createBytes(): Bytes {
  let held = Buffer.alloc(1024);
  let length = 0;
  return {
    push(chunk) {
      if (length + chunk.length > held.length) {
        const larger = Buffer.alloc(2 * (length + chunk.length));
        held.copy(larger, 0, 0, length);
        held = larger;
      }
      length += chunk.copy(held, length);
    },
    take() {
      const text = held.toString('utf8', 0, length);
      length = 0;
      return text;
    },
  };
}

/** Hands over whole lines as they come; each byte is looked at once, however long a line is. */
export function createLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const rest = createBytes();
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      rest.push(chunk.subarray(from, end));
      from = end + 1;
      onLine(rest.take());
    }
    rest.push(chunk.subarray(from));
  };
}
