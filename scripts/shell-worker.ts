// The service worker, with the names of the files it keeps.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import type { Plugin } from 'vite';

const web = join(import.meta.dirname, '../web');
/** Files beside the page that keep their names. */
const PUBLIC_FILES = ['/icon.svg', '/icon-wanted.svg', '/manifest.webmanifest'];
/** Loaded when a text needs them: the colours of code, and letters of other scripts. */
const ON_DEMAND = /\/code\/|-(cyrillic|greek|vietnamese|latin-ext)-/;

export function shellWorker(): Plugin {
  return {
    name: 'shell-worker',
    apply: 'build',
    async generateBundle(_, bundle) {
      const isPage = Object.values(bundle).some(
        (each) => each.type === 'chunk' && each.isEntry && each.name === 'index',
      );
      if (!isPage) return; // The gallery of parts is no page that people install.
      const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !ON_DEMAND.test(`/${name}`));
      const files = [...PUBLIC_FILES, ...assets.map((name) => `/${name}`).sort()];
      const page = readFileSync(join(web, 'index.html'));
      const version = createHash('sha256').update(files.join()).update(page).digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: await bundleWorker({ version, files }) });
    },
  };
}

async function bundleWorker(shell: object): Promise<string> {
  const { output } = await build({
    input: join(web, 'service-worker.ts'),
    write: false,
    logLevel: 'warn',
    transform: { define: { SHELL: JSON.stringify(shell) } },
    output: { format: 'iife', minify: true },
  });
  return output[0].code;
}
