import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { shellWorker } from '../scripts/shell-worker.ts';

// The colours of code: a worker, and a file for each language, loaded when a text has code in it.
const code = 'assets/code/[name]-[hash].js';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), shellWorker()],
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: code, chunkFileNames: code } } },
  build: {
    // Browsers that support light-dark(): a fallback for older ones would not follow the chosen theme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The page's content security policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The code every room needs is one file: ten files would take ten requests and compress less well.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
  },
});
