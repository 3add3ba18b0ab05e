// Assembles src/models/builtin/kernel/*.wat and writes them down as src/models/builtin/kernel/binaries.ts, which is committed: nobody who
// runs Heddle needs an assembler. Run it after a change; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const folder = new URL('../src/models/builtin/kernel/', import.meta.url);

if (import.meta.main) writeFileSync(new URL('binaries.ts', folder), await kernelBinaries());

export async function kernelBinaries(): Promise<string> {
  const { parseWat } = await wabt();
  const constants = ['dots', 'floats'].map((name) => {
    const module = parseWat(`${name}.wat`, readFileSync(new URL(`${name}.wat`, folder), 'utf8'), { simd: true });
    const { buffer } = module.toBinary({});
    module.destroy();
    const lines =
      Buffer.from(buffer)
        .toString('base64')
        .match(/.{1,100}/g) ?? [];
    return [`export const ${name.toUpperCase()} = [`, ...lines.map((line) => `  '${line}',`), "].join('');", ''];
  });
  return ['// Written by scripts/kernel.ts from dots.wat and floats.wat.', ...constants.flat()].join('\n');
}
