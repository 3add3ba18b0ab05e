// Assembles src/models/kernel/kernel.wat and writes it down as src/models/kernel/kernel-binary.ts, which is committed:
// nobody who runs Heddle needs an assembler. Run it after a change; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const folder = new URL('../src/models/kernel/', import.meta.url);

if (import.meta.main) writeFileSync(new URL('kernel-binary.ts', folder), await kernelModule());

export async function kernelModule(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('kernel.wat', readFileSync(new URL('kernel.wat', folder), 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,100}/g) ?? [];
  return [
    '// Written by scripts/kernel.ts from kernel.wat.',
    'export const KERNEL_BINARY = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('');",
    '',
  ].join('\n');
}
