import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shootPages } from './pages.ts';
import { recordTerminal } from './record.ts';

/* `npm run pictures`: makes the pictures and the recording that the README shows anew, out of the program as it is. */
const folder = join(import.meta.dirname, '../../docs/pictures');
mkdirSync(folder, { recursive: true });

const recording = join(folder, 'terminal.svg');
recordTerminal(recording);
console.log(`terminal.svg (${Math.round(statSync(recording).size / 1000)} kB)`);
await shootPages(folder, (name) => console.log(`${name} (${Math.round(statSync(join(folder, name)).size / 1000)} kB)`));
