import { useEffect, useLayoutEffect, useRef } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import { useStore } from '../../../data/store.ts';
import { takeLetters } from '../../../shell/letter-keys.ts';
import type { LoomActions } from '../actions.ts';
import { bindingsOf } from '../keymap.ts';
import { type Loom, nodeHere } from '../loom.ts';
import { sendCursor } from '../session/cursor.ts';
import { openEditor } from './editor.ts';

const HOVER_MS = 450;

/** The text itself. */
export function TextField({ loom, actions }: { readonly loom: Loom; readonly actions: LoomActions }) {
  const host = useRef<HTMLDivElement>(null);
  const keys = useStore(loom.keys);

  // Before anything is painted: a key pressed at the first sight of the text is written there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is opened once; other keys are set below
  useLayoutEffect(() => {
    const { desk, authors, wheel } = loom;
    const cursor = sendCursor(loom);
    const editor = openEditor(host.current!, {
      desk,
      authors,
      wheel,
      actions: actions.actions,
      bindings: bindingsOf(keys),
      moved(from, to) {
        placed(from, to);
        cursor.moved();
      },
    });
    loom.editor = editor;
    // Nodes get their names, and come to stand elsewhere, without the caret being moved.
    const stopLook = desk.look.watch(() => {
      const { from, to } = editor.view.state.selection.main;
      placed(from, to);
    });

    function placed(at: number, to: number): void {
      const here = nodeHere(desk.weave(), at);
      const before = loom.caret.get();
      if (before.at === at && before.to === to && before.node === here?.node && before.offset === here?.offset) return;
      loom.caret.set({ at, to, node: here?.node, offset: here?.offset ?? 0 });
    }

    editor.view.dispatch({ selection: { anchor: editor.view.state.doc.length }, scrollIntoView: true });
    editor.view.focus();
    const stopLetters = takeLetters(editor.view.contentDOM, {
      focus: () => editor.view.focus(),
      insert: (text) => editor.view.dispatch(editor.view.state.replaceSelection(text), { userEvent: 'input.type' }),
    });
    const stopHover = hover(host.current!, (x, y) => {
      const at = editor.view.posAtCoords({ x, y });
      if (at !== null) actions.over.set({ kind: 'who', at, isByKey: false });
    });
    const edges = (event: KeyboardEvent) => editor.view.dom.classList.toggle('shows-edges', event.altKey);
    addEventListener('keydown', edges);
    addEventListener('keyup', edges);
    return () => {
      removeEventListener('keydown', edges);
      removeEventListener('keyup', edges);
      stopLetters();
      stopHover();
      stopLook();
      cursor.close();
      loom.editor = undefined;
      editor.close();
    };
  }, [loom, actions]);

  useEffect(() => loom.editor?.setKeys(bindingsOf(keys)), [keys, loom]);

  return <div ref={host} className="loom-text" {...useHere(loom)} />;
}

/** Which character the caret stands at, for whoever asks where it came from. */
function useHere(loom: Loom): Readonly<Record<string, string>> {
  const { node, offset } = useStore(loom.caret);
  if (node === undefined || /^~|^gen:/.test(node)) return {};
  const { length } = loom.desk.textOf(node);
  const at = Math.max(0, Math.min(offset, length - 1));
  return { 'data-place': linkTo({ id: loom.id, kind: 'loom' }, node), 'data-offset': String(at) };
}

/** Tells where a mouse rests on the text. */
function hover(element: HTMLElement, rests: (x: number, y: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = (event: PointerEvent) => {
    clearTimeout(timer);
    const onLetters = event.composedPath().some((each) => each instanceof Element && each.classList.contains('by'));
    if (event.pointerType !== 'mouse' || event.buttons !== 0 || !onLetters) return;
    timer = setTimeout(() => rests(event.clientX, event.clientY), HOVER_MS);
  };
  const left = () => clearTimeout(timer);
  element.addEventListener('pointermove', moved);
  element.addEventListener('pointerleave', left);
  return () => {
    clearTimeout(timer);
    element.removeEventListener('pointermove', moved);
    element.removeEventListener('pointerleave', left);
  };
}
