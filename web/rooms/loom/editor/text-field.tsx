import { useEffect, useLayoutEffect, useRef } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import { useStore } from '../../../data/store.ts';
import { registerLetterTarget } from '../../../shell/letter-keys.ts';
import type { LoomActions } from '../actions.ts';
import { bindingsOf } from '../keymap.ts';
import { nodeAtCaret, type OpenLoom } from '../loom.ts';
import { createCursorSender } from '../session/cursor.ts';
import { openEditor } from './editor.ts';

const HOVER_MS = 450;

/** The editor of the loom's text. */
export function TextField({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const host = useRef<HTMLDivElement>(null);
  const keys = useStore(loom.keySettings);

  // Runs before paint, so that a key pressed as soon as the text shows goes into it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is opened once; other keys are set below
  useLayoutEffect(() => {
    const { session, authors, wheel } = loom;
    const cursor = createCursorSender(loom);
    const editor = openEditor(host.current!, {
      session,
      authors,
      wheel,
      actions: actions.actions,
      bindings: bindingsOf(keys),
      onSelectionChange(from, to) {
        updateCaret(from, to);
        cursor.scheduleSend();
      },
    });
    loom.editor = editor;
    // Nodes can get new ids and offsets while the caret does not move.
    const stopWatching = session.revision.watch(() => {
      const { from, to } = editor.view.state.selection.main;
      updateCaret(from, to);
    });

    function updateCaret(at: number, to: number): void {
      const position = nodeAtCaret(session.weave(), at);
      const caret = loom.caret.get();
      if (caret.at === at && caret.to === to && caret.node === position?.node && caret.offset === position?.offset)
        return;
      loom.caret.set({ at, to, node: position?.node, offset: position?.offset ?? 0 });
    }

    editor.view.dispatch({ selection: { anchor: editor.view.state.doc.length }, scrollIntoView: true });
    editor.view.focus();
    const stopLetters = registerLetterTarget(editor.view.contentDOM, {
      focus: () => editor.view.focus(),
      insert: (text) => editor.view.dispatch(editor.view.state.replaceSelection(text), { userEvent: 'input.type' }),
    });
    const stopHover = watchHover(host.current!, (x, y) => {
      const at = editor.view.posAtCoords({ x, y });
      if (at !== null) actions.overlay.set({ kind: 'who', at, isByKey: false });
    });
    const toggleEdges = (event: KeyboardEvent) => editor.view.dom.classList.toggle('shows-edges', event.altKey);
    addEventListener('keydown', toggleEdges);
    addEventListener('keyup', toggleEdges);
    return () => {
      removeEventListener('keydown', toggleEdges);
      removeEventListener('keyup', toggleEdges);
      stopLetters();
      stopHover();
      stopWatching();
      cursor.close();
      loom.editor = undefined;
      editor.close();
    };
  }, [loom, actions]);

  useEffect(() => loom.editor?.setKeys(bindingsOf(keys)), [keys, loom]);

  return <div ref={host} className="loom-text" {...useCaretAttributes(loom)} />;
}

/** Attributes that name the character at the caret, so that its source can be looked up. */
function useCaretAttributes(loom: OpenLoom): Readonly<Record<string, string>> {
  const { node, offset } = useStore(loom.caret);
  if (node === undefined || /^~|^gen:/.test(node)) return {};
  const { length } = loom.session.textOf(node);
  const at = Math.max(0, Math.min(offset, length - 1));
  return { 'data-place': linkTo({ id: loom.id, kind: 'loom' }, node), 'data-offset': String(at) };
}

/** Calls `onRest` where the mouse rests on the text. */
function watchHover(element: HTMLElement, onRest: (x: number, y: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onMove = (event: PointerEvent) => {
    clearTimeout(timer);
    const isOnText = event.composedPath().some((each) => each instanceof Element && each.classList.contains('by'));
    if (event.pointerType !== 'mouse' || event.buttons !== 0 || !isOnText) return;
    timer = setTimeout(() => onRest(event.clientX, event.clientY), HOVER_MS);
  };
  const onLeave = () => clearTimeout(timer);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerleave', onLeave);
  return () => {
    clearTimeout(timer);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerleave', onLeave);
  };
}
