import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import { useStore } from '../../../data/store.ts';
import { registerLetterTarget } from '../../../shell/letter-keys.ts';
import { hueOf } from '../../../ui/people/hue.ts';
import type { LoomActions } from '../actions.ts';
import { bindingsOf } from '../keymap.ts';
import { nodeAtCaret, type OpenLoom } from '../loom.ts';
import { createCursorSender } from '../session/cursor.ts';
import { isCommitted } from '../session/node-views.ts';
import { type LoomEditor, openEditor } from './editor.ts';
import { followEnd, watchHover, watchSwipe } from './gestures.ts';
import styles from './text-field.module.css';

interface TextFieldProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
  /** Scrolls with the text, above it. */
  readonly before?: ReactNode;
  /** Scrolls with the text, below it. */
  readonly after?: ReactNode;
}

/** The editor of the loom's text. */
export function TextField({ loom, actions, before, after }: TextFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const keys = useStore(loom.keySettings);
  const view = useStore(loom.view);

  // Runs before paint, so that a key pressed as soon as the text shows goes into it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is opened once; other keys are set below
  useLayoutEffect(() => {
    const { session, authors, shelf, nodeViews } = loom;
    const cursor = createCursorSender(loom);
    const editor = openEditor(host.current!, {
      session,
      authors,
      shelf,
      nodeViews,
      actions: actions.actions,
      bindings: bindingsOf(keys),
      onSelectionChange(from, to) {
        updateCaret(from, to);
        cursor.scheduleSend();
      },
      onEdit(at) {
        const state = shelf.state.get();
        const start = state && rangeOf(session.weave(), state.node)?.from;
        if (start !== undefined && at >= start) shelf.take();
      },
      onChooseNumber: actions.chooseNumber,
      onAsk: (at) => actions.overlay.set({ kind: 'who', at, isByKey: true }),
      onLeaveView: () => loom.view.set('write'),
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
    const isWriting = () => loom.view.get() !== 'probabilities';
    const stops = [
      stopWatching,
      cursor.close,
      registerLetterTarget(editor.view.contentDOM, {
        focus: () => editor.view.focus(),
        insert: (text) =>
          isWriting() && editor.view.dispatch(editor.view.state.replaceSelection(text), { userEvent: 'input.type' }),
      }),
      watchHover(host.current!, (at) => loom.view.get() !== 'write' && ask(at)),
      watchSwipe(host.current!, (x, y, step) => {
        const at = editor.view.posAtCoords({ x, y });
        const node = at === null ? undefined : nodeAtCaret(session.weave(), at)?.node;
        if (node !== undefined) shelf.turn(node, 'branch', step);
      }),
      followEnd(editor.view.scrollDOM, [editor.view.contentDOM, end.current!], () => loom.view.get() === 'write'),
      holdForAuthors(editor, loom),
    ];
    function ask({ x, y }: { readonly x: number; readonly y: number }): void {
      const at = editor.view.posAtCoords({ x, y });
      if (at !== null) actions.overlay.set({ kind: 'who', at, isByKey: false });
    }
    return () => {
      for (const stop of stops) stop();
      loom.editor = undefined;
      editor.close();
    };
  }, [loom, actions]);

  useEffect(() => loom.editor?.setKeys(bindingsOf(keys)), [keys, loom]);
  useEffect(() => loom.editor?.setView(view), [view, loom]);

  return (
    <div ref={host} className={`loom-text ${styles.field}`} data-hue={hueOf(loom.me)} {...useCaretAttributes(loom)}>
      <div slot="before" className={styles.before}>
        {before}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the page below the text, as in any editor */}
      <div slot="after" ref={end} className={styles.end} onMouseDown={(event) => pressBelow(event, loom)}>
        {after}
      </div>
    </div>
  );
}

/** A press on the empty page below the text writes at its end. */
function pressBelow(event: MouseEvent, { editor, session }: OpenLoom): void {
  if (event.target !== event.currentTarget || !editor) return;
  event.preventDefault();
  editor.view.dispatch({ selection: { anchor: session.length() } });
  editor.view.focus();
}

/** Full colours while Alt is held, and in the view of authors. */
function holdForAuthors(editor: LoomEditor, loom: OpenLoom): () => void {
  const onKey = (event: KeyboardEvent) => editor.showAuthors(event.altKey || loom.view.get() === 'authors');
  const onBlur = () => editor.showAuthors(loom.view.get() === 'authors');
  addEventListener('keydown', onKey);
  addEventListener('keyup', onKey);
  addEventListener('blur', onBlur);
  return () => {
    removeEventListener('keydown', onKey);
    removeEventListener('keyup', onKey);
    removeEventListener('blur', onBlur);
  };
}

/** Attributes that name the character at the caret, so that its source can be looked up. */
function useCaretAttributes(loom: OpenLoom): Readonly<Record<string, string>> {
  const { node, offset } = useStore(loom.caret);
  if (node === undefined || !isCommitted(node)) return {};
  const { length } = loom.session.textOf(node);
  const at = Math.max(0, Math.min(offset, length - 1));
  return { 'data-place': linkTo({ id: loom.id, kind: 'loom' }, node), 'data-offset': String(at) };
}
