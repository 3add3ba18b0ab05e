import { KERNEL_BINARY } from './kernel-binary.ts';
import { plainKernel } from './plain.ts';

/** `out[v * rows + r] = Σ weights[r] · x[v]`, all of it in `buffer`, places in bytes; see kernel.wat. */
export type Dots = (
  weights: number,
  bandBytes: number,
  rows: number,
  columns: number,
  x: number,
  vectors: number,
  out: number,
) => void;

export interface Kernel {
  readonly name: 'simd' | 'plain';
  /** Holds everything the kernel reads and writes; never moves. */
  readonly buffer: ArrayBuffer;
  readonly dots16: Dots;
  readonly dots8: Dots;
}

const PAGE = 65_536;

/** The kernel over `bytes` of fresh memory: in vectors where the engine has them, by plain loops otherwise. */
export function openKernel(bytes: number, prefer: 'simd' | 'plain' = 'simd'): Kernel {
  const binary = Buffer.from(KERNEL_BINARY, 'base64');
  if (prefer === 'plain' || !WebAssembly.validate(binary)) return plainKernel(bytes);
  const pages = Math.ceil(bytes / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
  const { dots16, dots8 } = exports as { dots16: Dots; dots8: Dots };
  return { name: 'simd', buffer: memory.buffer, dots16, dots8 };
}
