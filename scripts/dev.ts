// npm run dev [-- ARGUMENTS]: the server from src/, started again at every change, and the page built again at every
// change, with all parts of the page in all states at /dev/ui.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'vite';
import { buildParts } from './build-parts.ts';

// What is watched is not minified: the next start from a build makes its own.
rmSync('dist/.stamps.json', { force: true });
const page = await build({ root: 'web', logLevel: 'warn', build: { watch: {}, minify: false, sourcemap: true } });
const parts = await buildParts('../dist/web', { watch: {}, sourcemap: true });
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'src/main.ts', 'serve', '--no-open', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);

process.on('SIGINT', () => {}); // The terminal sends it to the server as well: wait for that to end.
process.on('SIGTERM', () => server.kill('SIGTERM'));
server.on('exit', async (code) => {
  for (const built of [page, parts]) if ('close' in built) await built.close();
  process.exit(code ?? 0);
});
