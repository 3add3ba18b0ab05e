import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';

const web = join(import.meta.dirname, '../web');

/** Builds the page that shows every part of the page in every state, for people who work on them and for their tests. */
export function buildParts(outDir: string, options: InlineConfig['build'] = {}) {
  return build({
    root: web,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      ...options,
      // A build of its own: in one build, both pages would share a file, which would start them both.
      rolldownOptions: { input: join(web, 'dev/ui.html') },
    },
  });
}
