import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['heddle', 'mind', 'logos'] as const;

/** A folder for PATH in which the program stands under all its names, and npx starts it. */
export function writePrograms(bin: string, entryOf: (name: (typeof NAMES)[number]) => string): void {
  mkdirSync(bin, { recursive: true });
  for (const name of NAMES) {
    const program = `#!/bin/sh\nexec "${process.execPath}" "${entryOf(name)}" "$@"\n`;
    writeFileSync(join(bin, name), program, { mode: 0o755 });
  }
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
}
