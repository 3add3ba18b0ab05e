import type { Page } from 'playwright-core';
import { build } from 'rolldown';

const SOURCE = `
import { history, standardKeymap } from '@codemirror/commands';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
globalThis.openBare = (doc) => {
  const view = new EditorView({
    doc,
    parent: document.body,
    extensions: [EditorView.lineWrapping, drawSelection(), history(), keymap.of(standardKeymap)],
  });
  view.dispatch({ selection: { anchor: Math.floor(doc.length / 2) }, scrollIntoView: true });
  view.focus();
};
`;

/** An editor with nothing but what any has: the floor. */
export async function bareEditor(page: Page, text: string): Promise<void> {
  const { output } = await build({
    input: 'bare',
    write: false,
    output: { format: 'iife' },
    plugins: [
      {
        name: 'bare',
        resolveId: (id) => (id === 'bare' ? `${import.meta.dirname}/bare.js` : undefined),
        load: (id) => (id.endsWith('/bare.js') ? SOURCE : undefined),
      },
    ],
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.setContent('<!doctype html><style>body{margin:0 auto;max-width:700px}.cm-editor{height:700px}</style>');
  await page.addScriptTag({ content: output[0].code });
  await page.evaluate((doc) => (globalThis as unknown as { openBare(doc: string): void }).openBare(doc), text);
}
