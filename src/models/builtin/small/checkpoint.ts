import { closeSync, openSync, readSync } from 'node:fs';

export interface ModelShape {
  readonly width: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly headWidth: number;
  readonly vocabulary: number;
  readonly context: number;
}

/** Reads the file from start to end, so that no complete copy is ever in memory. */
export interface Checkpoint {
  readonly shape: ModelShape;
  /** The next `count` numbers; the next call reuses the array. */
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
  const read = (length: number): Buffer => {
    if (scratch.length < length) scratch = Buffer.from(new ArrayBuffer(length));
    return scratch.subarray(0, readSync(file, scratch, 0, length, null));
  };
  return {
    shape: shapeOf(read(HEADER_BYTES)),
    floats(count) {
      const bytes = read(count * 4);
      if (bytes.length < count * 4) throw new Error(`${path} ends too early.`);
      return new Float32Array(bytes.buffer, bytes.byteOffset, count);
    },
    rest() {
      const chunks: Buffer[] = [];
      for (let chunk = read(1 << 20); chunk.length > 0; chunk = read(1 << 20)) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
    close: () => closeSync(file),
  };
}

function shapeOf(header: Buffer): ModelShape {
  const [width, hidden, layers, heads, keyHeads, vocabulary, context] = Array.from({ length: 7 }, (_, i) =>
    header.length < HEADER_BYTES ? 0 : header.readInt32LE(i * 4),
  ) as [number, number, number, number, number, number, number];
  // A negative vocabulary would mean a separate classifier; other shapes do not fit the kernel's blocks.
  const isSupported = heads > 0 && keyHeads === heads && vocabulary % 4 === 0 && context % 8 === 0 && vocabulary > 0;
  const headWidth = width / heads;
  if (!isSupported || headWidth % 8 !== 0 || width % 8 !== 0 || hidden % 8 !== 0) {
    throw new Error('This is not a model file that Heddle can read.');
  }
  return { width, hidden, layers, heads, headWidth, vocabulary, context };
}
