import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    // Those that know light-dark(): rewritten for older ones, it would not follow what somebody chooses.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The page's content security policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every room needs is one file: cut into ten, it is asked for ten times and packs less well.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
  },
});
