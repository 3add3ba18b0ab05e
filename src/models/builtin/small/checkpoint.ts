import { closeSync, openSync, readSync } from 'node:fs';

export interface Shape {
  readonly width: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly headWidth: number;
  readonly vocabulary: number;
  readonly context: number;
}

/** The file from its first byte to its last, so that no copy of it is ever held whole. */
export interface Checkpoint {
  readonly shape: Shape;
  /** The next `count` numbers; the array is used again by the next call. */
  floats(count: number): Float32Array;
  /** Everything not yet read. */
  rest(): Buffer;
  close(): void;
}

const HEADER_BYTES = 28;

/** Opens a model in the first format of llama2.c: seven integers, all weights as 32-bit floats, the tokenizer. */
export function openCheckpoint(path: string): Checkpoint {
  const file = openSync(path, 'r');
  let scratch = Buffer.alloc(0);
  const read = (bytes: number): Buffer => {
    if (scratch.length < bytes) scratch = Buffer.from(new ArrayBuffer(bytes));
    return scratch.subarray(0, readSync(file, scratch, 0, bytes, null));
  };
  return {
    shape: shapeOf(read(HEADER_BYTES)),
    floats(count) {
      const part = read(count * 4);
      if (part.length < count * 4) throw new Error(`${path} ends too early.`);
      return new Float32Array(part.buffer, part.byteOffset, count);
    },
    rest() {
      const parts: Buffer[] = [];
      for (let part = read(1 << 20); part.length > 0; part = read(1 << 20)) parts.push(Buffer.from(part));
      return Buffer.concat(parts);
    },
    close: () => closeSync(file),
  };
}

function shapeOf(header: Buffer): Shape {
  const [width, hidden, layers, heads, keyHeads, vocabulary, context] = Array.from({ length: 7 }, (_, i) =>
    header.length < HEADER_BYTES ? 0 : header.readInt32LE(i * 4),
  ) as [number, number, number, number, number, number, number];
  // A negative vocabulary would mean a classifier of its own; other shapes do not fit the kernel's blocks.
  const fits = heads > 0 && keyHeads === heads && vocabulary % 4 === 0 && context % 8 === 0 && vocabulary > 0;
  const headWidth = width / heads;
  if (!fits || headWidth % 8 !== 0 || width % 8 !== 0 || hidden % 8 !== 0) {
    throw new Error('This is not a model file that Heddle can read.');
  }
  return { width, hidden, layers, heads, headWidth, vocabulary, context };
}
