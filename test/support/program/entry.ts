import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { staleTargets } from '../../../scripts/build.ts';

const root = join(import.meta.dirname, '../../..');
export const isBuilt =
  existsSync(join(root, 'dist/heddle.js')) && !staleTargets().some(({ name }) => name === 'program');

/** What was built is what people run, and it starts quicker; without it, the sources are the same program. */
export const heddleEntry = join(root, isBuilt ? 'bin/heddle.js' : 'src/main.ts');
