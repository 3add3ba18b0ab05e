import { DOTS, FLOATS } from './binaries.ts';
import { plainKernel } from './plain.ts';

/** The arithmetic of the models. All data is in `buffer`, which never moves; offsets are in bytes. */
export interface Kernel extends Dots, Floats {
  readonly name: 'simd' | 'plain';
  readonly buffer: ArrayBuffer;
}

/** Products of integers; see dots.wat for the shapes. */
export interface Dots {
  readonly dots16: Dot;
  readonly dots8: Dot;
}

/** `out[v * rows + r] = Σ weights[r] · x[v]` */
export type Dot = (
  weights: number,
  bandBytes: number,
  rows: number,
  columns: number,
  x: number,
  vectors: number,
  out: number,
) => void;

/** Operations on every number of a vector; see floats.wat. */
export interface Floats {
  settle(sums: number, count: number, unit: number, units: number, bias: number, y: number): void;
  largest(x: number, count: number): number;
  round(x: number, count: number, each: number, into: number): void;
  gelu(x: number, count: number): void;
}

const PAGE_BYTES = 65_536;

/** A kernel over `bytes` of new memory: uses vector instructions if the engine has them, plain loops otherwise. */
export function openKernel(bytes: number, preferred: Kernel['name'] = 'simd'): Kernel {
  const [dots, floats] = [decodeBase64(DOTS), decodeBase64(FLOATS)];
  if (preferred === 'plain' || !WebAssembly.validate(dots)) return plainKernel(bytes);
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instantiate = (binary: BinaryBytes): unknown =>
    new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } }).exports;
  return { name: 'simd', buffer: memory.buffer, ...(instantiate(dots) as Dots), ...(instantiate(floats) as Floats) };
}

type BinaryBytes = Uint8Array<ArrayBuffer>;

function decodeBase64(base64: string): BinaryBytes {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
